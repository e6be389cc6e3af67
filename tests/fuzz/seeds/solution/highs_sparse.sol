Model status
Optimal

# Primal solution values
Feasible
Objective 1
# Columns -2
x 1 0
n -2 2
