#!/usr/bin/env python3
"""Learn the block model from the matrices that `train matrix` wrote.

Writes oof.f32 (out-of-fold probabilities, in block order) and model.json (the
forests, trained on all pages). Needs Debian's python3-xgboost.
"""
import collections, json, os, sys
import numpy as np
import xgboost as xgb

FOLDS, CAP, ROUNDS, DEPTH, FEATURES = 5, 160, 300, 6, 400
out = sys.argv[1]
opt = dict(a.split("=") for a in sys.argv[2:])
ROUNDS, DEPTH, FEATURES = int(opt.get("rounds", ROUNDS)), int(opt.get("depth", DEPTH)), int(opt.get("features", FEATURES))
ETA = float(opt.get("eta", .07))
names = open(f"{out}/names.txt").read().split()
lexcols = [i for i, n in enumerate(names) if n.startswith("lx_")]
X = np.fromfile(f"{out}/base.f32", np.float32).reshape(-1, len(names))
blocks = np.loadtxt(f"{out}/blocks.tsv")
page, fold, y, words = blocks[:, 0].astype(int), blocks[:, 1].astype(int), blocks[:, 2].astype(np.float32), blocks[:, 3]
pages = [l.rstrip("\n").split("\t") for l in open(f"{out}/pages.tsv")]
TYPES = ["article", "documentation", "service", "forum", "collection", "listing", "product"]
start = np.searchsorted(page, np.arange(len(pages) + 1))
weight = (words + 1) ** .75
PARAMS = dict(objective="binary:logistic", base_score=.4, eta=ETA, max_depth=DEPTH, min_child_weight=40, subsample=.6,
              colsample_bytree=.3, tree_method="hist", max_bin=64, nthread=2, reg_lambda=2., seed=1)


def sample(keep, seed):
    """Row numbers and weights: at most CAP blocks of a page, each page worth the same."""
    rs, rows, ws = np.random.RandomState(seed), [], []
    for i in np.flatnonzero(keep):
        k = np.arange(start[i], start[i + 1])
        if len(k) == 0:
            continue
        if len(k) > CAP:
            k = np.sort(rs.choice(k, CAP, replace=False))
        rows.append(k)
        ws.append(weight[k] * (100 / weight[k].sum()))
    return np.concatenate(rows), np.concatenate(ws)


def with_lexicon(k):
    M = X.copy()
    M[:, lexcols] = np.fromfile(f"{out}/lex{k}.f32", np.float32).reshape(-1, len(lexcols))
    return M


pfold = np.array([int(p[2]) for p in pages])
oof = np.zeros(len(y), np.float32)
gain = collections.Counter()
for k in range(FOLDS):
    M = with_lexicon(k)
    rows, w = sample(pfold != k, k)
    cols = list(range(len(names)))
    if FEATURES < len(names):
        # The choice of features happens within the fold.
        small = xgb.train(dict(PARAMS, eta=.2), xgb.DMatrix(M[rows], y[rows], weight=w), 40)
        g = collections.Counter({int(f[1:]): v for f, v in small.get_score(importance_type="total_gain").items()})
        cols = sorted(c for c, _ in g.most_common(FEATURES))
    m = xgb.train(PARAMS, xgb.DMatrix(M[rows][:, cols], y[rows], weight=w), ROUNDS)
    test = fold == k
    oof[test] = m.predict(xgb.DMatrix(M[test][:, cols]))
    err = np.average((oof[test] - y[test]) ** 2, weights=weight[test])
    print(f"fold {k}: {len(rows)} rows, {len(cols)} features, weighted squared error {err:.4f}", flush=True)
oof.tofile(f"{out}/oof.f32")
if "oof" in opt:
    sys.exit()


def dump(model, cols):
    """Trees as rows of [feature or -1, value, left child, NaN goes right]; children are adjacent."""
    trees = []
    for t in model.get_dump(dump_format="json"):
        nodes, queue = [], [(json.loads(t), None)]
        nodes.append(None)
        todo = [(json.loads(t), 0)]
        while todo:
            n, at = todo.pop(0)
            if "leaf" in n:
                nodes[at] = [-1, n["leaf"], 0, 0]
                continue
            kids = {c["nodeid"]: c for c in n["children"]}
            left = len(nodes)
            nodes += [None, None]
            nodes[at] = [int(n["split"][1:]), n["split_condition"], left, int(n["missing"] != n["yes"])]
            todo += [(kids[n["yes"]], left), (kids[n["no"]], left + 1)]
        trees.append(nodes)
    return trees


logit = lambda p: float(np.log(p / (1 - p)))
M = with_lexicon(FOLDS)
rows, w = sample(pfold >= 0, 99)
small = xgb.train(dict(PARAMS, eta=.2), xgb.DMatrix(M[rows], y[rows], weight=w), 40)
g = collections.Counter({int(f[1:]): v for f, v in small.get_score(importance_type="total_gain").items()})
total = sum(g.values())
for c, v in g.most_common(30):
    print(f"  {names[c]:16} {v / total:.3f}")
chosen = {c for c, _ in g.most_common(FEATURES)}
pagecols = [i for i, n in enumerate(names) if n.startswith(("pg_", "url_"))]
cols = sorted(chosen | set(pagecols))
m = xgb.train(PARAMS, xgb.DMatrix(M[rows][:, cols], y[rows], weight=w), ROUNDS)

# Page types: one forest a type over what the page as a whole shows.
has = start[1:] > start[:-1]
first = start[:-1][has]
kind = np.array([TYPES.index(p[3]) for p in pages])[has]
P = M[first]
pc = [cols.index(c) for c in pagecols]
TP = dict(objective="multi:softprob", num_class=len(TYPES), eta=.15, max_depth=3, subsample=.7, colsample_bytree=.5, tree_method="hist", nthread=2, seed=1, min_child_weight=3)
pf = pfold[has]
pred = np.zeros(len(kind), int)
for k in range(FOLDS):
    tm = xgb.train(TP, xgb.DMatrix(P[pf != k][:, pagecols], kind[pf != k]), 50)
    pred[pf == k] = tm.predict(xgb.DMatrix(P[pf == k][:, pagecols])).argmax(1)
print(f"page type, out of fold: {np.mean(pred == kind):.3f} right;", " ".join(f"{t} {np.mean(pred[kind == i] == i):.2f}" for i, t in enumerate(TYPES)))
tm = xgb.train(TP, xgb.DMatrix(P[:, pagecols], kind), 50)
tt = dump(tm, pagecols)
for t in tt:
    for n in t:
        if n[0] >= 0:
            n[0] = pc[n[0]]
types = [dict(Base=.5, Trees=tt[i::len(TYPES)]) for i in range(len(TYPES))]
json.dump(dict(Features=[names[c] for c in cols], Block=dict(Base=logit(.4), Trees=dump(m, cols)), Types=types), open(f"{out}/model.json", "w"))
print(f"model: {len(cols)} features, {sum(len(t) for t in dump(m, cols))} nodes")
