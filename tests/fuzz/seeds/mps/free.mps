NAME knapsack
OBJSENSE
    MAX
ROWS
 N value
 L weight
 G low
 E same
COLUMNS
 MARKER 'MARKER' 'INTORG'
 a value 6 weight 5
 a low 1.5 same 1
 n value 0.5 weight 1
 MARKER 'MARKER' 'INTEND'
 c low 2
RHS
 RHS weight 8 value 3
RANGES
 RNG low 2 same -1
BOUNDS
 BV BND a
 LO BND n -1
 UP BND n 4
 BV c
ENDATA
