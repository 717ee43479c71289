"""Classical learners over rows of features: boosted trees, forests, linear models."""

from __future__ import annotations

from plimsoll_service.engine.models.profile import ModelProfile, TreeEnsemble

_ROW = "one row of features"
_HIGGS_FEATURES = 28  # columns of the customary benchmark set


def _learner(name: str, family: str, tree: TreeEnsemble, source: str, aliases: tuple[str, ...]) -> ModelProfile:
    """Operations of one prediction: a comparison a level and tree, or a multiply-add a feature."""
    work = 2.0 * _HIGGS_FEATURES if family == "linear" else float(tree.default_trees * tree.default_depth)
    nodes = _HIGGS_FEATURES + 1 if family == "linear" else tree.default_trees * 2**tree.default_depth
    return ModelProfile(
        name=name, family=family, sample=_ROW, parameters=float(nodes), forward_flops=work, written_elements=1.0,
        stored_elements=1.0, kernels=1.0, source=source, aliases=aliases, architecture=family, traffic="recommender",
        memory="other", tree=tree, default_dataset="higgs",
    )  # fmt: skip


TABULAR = (
    _learner("xgboost", "tree", TreeEnsemble("xgboost", 13.0, 100, 6),
             "XGBoost: defaults of XGBClassifier; a value is held as the caller's float32 (4 bytes), an index-value "
             "pair of the matrix (8) and a bin of at most 256 (1)", ("xgb", "gradient-boosting", "gbdt")),
    _learner("lightgbm", "tree", TreeEnsemble("lightgbm", 9.0, 100, 5),
             "LightGBM: defaults of LGBMClassifier (31 leaves, about 5 levels); the caller's float64 (8 bytes) and a "
             "bin (1)", ("lgbm", "light-gbm")),
    _learner("catboost", "tree", TreeEnsemble("catboost", 9.0, 1000, 6),
             "CatBoost: defaults of CatBoostClassifier (1,000 trees of depth 6); the caller's float64 (8 bytes) and a "
             "bin of at most 255 (1)", ("cat-boost",)),
    _learner("random-forest", "tree", TreeEnsemble("random-forest", 12.0, 100, 16),
             "scikit-learn: defaults of RandomForestClassifier; the caller's float64 (8 bytes) and a float32 copy (4); "
             "trees grow until leaves are pure: about log2 of 65,536 samples", ("randomforest", "rf")),
    _learner("logistic-regression", "linear", TreeEnsemble("logistic-regression", 8.0, 100, 1),
             "scikit-learn: defaults of LogisticRegression (at most 100 passes); the caller's float64",
             ("logistic", "logreg", "linear-model", "linear-regression")),
)  # fmt: skip
