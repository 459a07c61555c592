"""HiGHS, the solver of integer programmes, set up so that the same question has one answer."""

import highspy


def empty_model() -> highspy.Highs:
    """An empty model. HiGHS solves the same model always in the same way."""
    model = highspy.Highs()
    for name, value in (
        ("output_flag", False),
        ("threads", 1),
        ("parallel", "off"),
        ("random_seed", 0),
        ("mip_rel_gap", 0.0),
        ("mip_heuristic_effort", 0.0),
        ("mip_allow_restart", False),
        # on networks as small as these many cuts cost more time than they save
        ("mip_pool_soft_limit", 50),
    ):
        model.setOptionValue(name, value)
    model.changeObjectiveSense(highspy.ObjSense.kMaximize)
    return model
