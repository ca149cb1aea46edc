import pandas as pd
import numpy as np
df = pd.read_excel('transactions.xlsx', sheet_name='Tx', skiprows=3, usecols='A:D', names=['cust', 'date', 'inv', 'amt'])
snapshot = df['date'].max() + pd.Timedelta(days=1)
rfm = df.groupby('cust').agg({'date': lambda x: (snapshot - x.max()).days, 'inv': 'nunique', 'amt': 'sum'})
rfm.columns = ['R', 'F', 'M']
rfm['r'] = pd.qcut(rfm['R'], 4, labels=[4, 3, 2, 1])
rfm['f'] = pd.qcut(rfm['F'].rank(method='first'), 4, labels=[1, 2, 3, 4])
rfm['m'] = pd.qcut(rfm['M'], 4, labels=[1, 2, 3, 4])
rfm['score'] = rfm[['r', 'f', 'm']].astype(str).agg(''.join, axis=1)
seg_map = {r'[34]4.': 'Champions', r'[34][23].': 'Loyal', r'[12][34].': 'At risk', r'[12][12].': 'Lost'}
rfm['segment'] = rfm['score'].replace(seg_map, regex=True)
conditions = [rfm.M > rfm.M.quantile(.9), rfm.M > rfm.M.median()]
rfm['tier'] = np.select(conditions, ['gold', 'silver'], default='bronze')
print(rfm.groupby('segment', observed=True)[['R', 'F', 'M']].agg(['mean', 'count']).round(1))
rfm.to_excel('output/rfm.xlsx')
