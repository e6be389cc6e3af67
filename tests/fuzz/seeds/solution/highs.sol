Model status
Optimal

# Primal solution values
Feasible
Objective 1
# Columns 3
x1 1
x2 0
x3 1.0000000001
# Rows 1
r1 2

# Dual solution values
None
