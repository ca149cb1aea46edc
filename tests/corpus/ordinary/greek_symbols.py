import math
σ, μ = 1.0, 0.0
Δx = 0.5
σ_x = σ * Δx
print(σ_x + μ, math.pi)
