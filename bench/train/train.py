#!/usr/bin/env python3
"""Train the block model on the matrices that `train matrix` wrote.

    python3 train.py DIR [OPTION | OPTION=VALUE]...

Writes oof.f32 (out-of-fold probabilities, in block order) and model.json (the
forests, trained on all pages). Needs Debian's python3-xgboost. Options:

    oof          write only what cross-validation needs, without the model that ships
    model        write only the model that ships, without cross-validation
    members=3    forests that are averaged: one is enough to compare rules
    rounds=300   trees of a forest; eta falls as they rise
    cap=160      blocks of a page that one forest learns from
    pos=1.5      weight of content in relation to boilerplate: losing content is worse
    SET=1        weight of the pages of a set, for example docs=.5
    jobs=        processes, as many as there are processors

A block has the share of its words that is content. Blocks without a label (NaN)
have no part in the training. Of some pages only segments are known: there the
blocks of each label have the same weight.
"""
import json, os, sys
from concurrent.futures import ProcessPoolExecutor
os.environ["OMP_NUM_THREADS"] = "1"  # see member
import numpy as np
import xgboost as xgb

FOLDS = 5
out = sys.argv[1]
opt = dict((a + "=1").split("=")[:2] for a in sys.argv[2:])
jobs = int(opt.get("jobs", os.cpu_count()))
MEMBERS, ROUNDS, CAP, POS = (int(opt.get("members", 3)), int(opt.get("rounds", 300)), int(opt.get("cap", 160)), float(opt.get("pos", 1.5)))
SETS = dict(wcxb=1., segments=.5, docs=1., news=1., fields=.25)  # others: .5
names = open(f"{out}/names.txt").read().split()
lexcols = [i for i, n in enumerate(names) if n.startswith("lx_")]
X = np.memmap(f"{out}/base.f32", np.float32, "r").reshape(-1, len(names))
blocks = np.fromfile(f"{out}/blocks.tsv", sep=" ").reshape(-1, 4)
page, fold, y, words = blocks[:, 0].astype(int), blocks[:, 1].astype(int), blocks[:, 2].astype(np.float32), blocks[:, 3]
pages = [l.rstrip("\n").split("\t") for l in open(f"{out}/pages.tsv")]
TYPES = ["article", "documentation", "service", "forum", "collection", "listing", "product"]
start = np.searchsorted(page, np.arange(len(pages) + 1))
pfold = np.array([int(p[2]) for p in pages])
ptype = np.array([p[3] for p in pages])
truth = np.array([int(p[4]) for p in pages])
pset = np.array([p[5] for p in pages])
partial = np.isin(pset, ["segments", "fields"])
total = np.array([words[start[i]:start[i + 1]].sum() for i in range(len(pages))])
# The code and tables of a manual count by their words, as its prose does.
weight = (words + 1) ** np.where(pset[page] == "docs", 1, .75)
PARAMS = dict(objective="binary:logistic", base_score=.4, eta=.07 * 300 / ROUNDS, max_depth=6, min_child_weight=20, subsample=.6,
              colsample_bytree=.3, tree_method="hist", max_bin=64, nthread=1, reg_lambda=2.)

# A page with little truth among much else counts for more: there a wrong block
# costs more of the page's F1.
scale = np.clip(((total + 50) / (truth + 50)) ** .5, .5, 4)
scale /= scale[pset == "wcxb"].mean()
scale[partial] = 1
scale *= [float(opt.get(s, SETS.get(s, .5))) for s in pset]


def sample(keep, seed):
    """Row numbers and weights: at most CAP blocks of a page."""
    rs, rows, ws = np.random.RandomState(seed), [], []
    for i in np.flatnonzero(keep):
        k = np.arange(start[i], start[i + 1])
        k = k[~np.isnan(y[k])]
        if len(k) == 0:
            continue
        if len(k) > CAP:
            k = np.sort(rs.choice(k, CAP, replace=False))
        w = weight[k]
        if partial[i]:
            for label in (0, 1):
                if (m := y[k] == label).any():
                    w[m] *= 50 / w[m].sum()
        else:
            w *= 100 / w.sum()
        rows.append(k)
        ws.append(w * scale[i] * (1 + (POS - 1) * y[k]))
    return np.concatenate(rows), np.concatenate(ws)


def with_lexicon(k, rows):
    M = X[rows]
    M[:, lexcols] = np.memmap(f"{out}/lex{k}.f32", np.float32, "r").reshape(-1, len(lexcols))[rows]
    return M


def member(k, seed):
    """A forest of the pages outside of fold k. It has one thread: on a busy machine, threads wait for each other."""
    rows, w = sample(pfold != k, 10 * seed + k)
    return xgb.train(dict(PARAMS, seed=seed), xgb.QuantileDMatrix(with_lexicon(k, rows), y[rows], weight=w, max_bin=PARAMS["max_bin"]), ROUNDS)


def margins(k, seed):
    """The log-odds that the pages of fold k have by a forest of the others."""
    return member(k, seed).predict(xgb.DMatrix(with_lexicon(k, np.flatnonzero(fold == k))), output_margin=True)


def each(f, *args):
    """The results of f with each of the arguments, in the order of these."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(f, *zip(*args)))


seeds = range(1, MEMBERS + 1)
# Page types: one forest a type over what the page as a whole shows.
typenames = open(f"{out}/typenames.txt").read().split()
typed = (start[1:] > start[:-1]) & (ptype != "untyped")
P = np.fromfile(f"{out}/types.f32", np.float32).reshape(-1, len(typenames))
kind = np.array([TYPES.index(t) if ok else -1 for t, ok in zip(ptype, typed)])
TYPE_ROUNDS = 80
TP = dict(objective="multi:softprob", num_class=len(TYPES), eta=.15, max_depth=3, subsample=.7, colsample_bytree=.3, tree_method="hist", nthread=1, seed=1, min_child_weight=3)


def cross_validate():
    oof = np.zeros(len(y), np.float32)
    known = ~np.isnan(y)
    z = iter(each(margins, *[(k, seed) for k in range(FOLDS) for seed in seeds]))
    for k in range(FOLDS):
        test = np.flatnonzero(fold == k)
        oof[test] = 1 / (1 + np.exp(-np.mean([next(z) for _ in seeds], 0)))
        t = test[known[test]]
        print(f"fold {k}: {len(test)} blocks, weighted squared error {np.average((oof[t] - y[t]) ** 2, weights=weight[t]):.4f}", flush=True)
    oof.tofile(f"{out}/oof.f32")
    scores = np.zeros((len(pages), len(TYPES)), np.float32)
    for k in range(FOLDS):
        known, test = typed & (pfold != k), pfold == k
        scores[test] = xgb.train(TP, xgb.DMatrix(P[known], kind[known]), TYPE_ROUNDS).predict(xgb.DMatrix(P[test]), output_margin=True)
    right = (scores.argmax(1) == kind)[typed]
    print(f"page type, out of fold: {right.mean():.3f} right;", " ".join(f"{t} {right[kind[typed] == i].mean():.2f}" for i, t in enumerate(TYPES)))
    scores.tofile(f"{out}/typescores.f32")


if "model" not in opt:
    cross_validate()
if "oof" in opt:  # only what cross-validation needs
    sys.exit()


def dump(model):
    """Trees as rows of [feature or -1, value, left child, NaN goes right]; children are adjacent."""
    trees = []
    for t in model.get_dump(dump_format="json"):
        nodes, todo = [None], [(json.loads(t), 0)]
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


members = each(member, *[(FOLDS, seed) for seed in seeds])  # no page is in fold FOLDS

types = dump(xgb.train(TP, xgb.DMatrix(P[typed], kind[typed]), TYPE_ROUNDS))

# The file names only the features that some tree asks for.
forests = [dump(m) for m in members]
for trees, columns in [(f, names) for f in forests] + [(types, typenames)]:
    for n in (n for t in trees for n in t if n[0] >= 0):
        n[0] = columns[n[0]]
nodes = [n for t in sum(forests, types) for n in t if n[0] != -1]
used = sorted({n[0] for n in nodes}, key=lambda name: (names + typenames).index(name))
for n in nodes:
    n[0] = used.index(n[0])
base = float(np.log(.4 / .6))
json.dump(dict(Features=used, Blocks=[dict(Base=base, Trees=f) for f in forests],
               Types=[dict(Base=.5, Trees=types[i::len(TYPES)]) for i in range(len(TYPES))]), open(f"{out}/model.json", "w"))
print(f"model: {len(used)} features, {sum(len(t) for f in forests for t in f)} nodes")
