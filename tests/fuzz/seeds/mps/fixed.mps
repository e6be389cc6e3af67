NAME          two words
ROWS
 N  cost
 L  row one
COLUMNS
    M1        'MARKER'                 'INTORG'
    col one   cost               1.0   row one            2.0
    col two   row one            3.0
    M2        'MARKER'                 'INTEND'
RHS
    RHS       row one            4.0
BOUNDS
 UP BND       col two            1.0
ENDATA
