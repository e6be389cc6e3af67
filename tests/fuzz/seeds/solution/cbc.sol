Optimal - objective value 1.00000000
      0 x1                     1                       0
**    2 a b                    0.9999999               1e+15
