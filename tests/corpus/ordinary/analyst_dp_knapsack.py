weights, values, cap = [1, 3, 4, 5], [1, 4, 5, 7], 7
dp = [[0] * (cap + 1) for _ in range(len(weights) + 1)]
for i in range(1, len(weights) + 1):
    for w in range(cap + 1):
        dp[i][w] = max(dp[i - 1][w], dp[i - 1][w - weights[i - 1]] + values[i - 1] if w >= weights[i - 1] else 0)
print(dp[-1][-1])
