"""Compiles all templates of emails and pictures: `python -m service.reports.compiling`.

An installation that processes cannot write to needs it, as a container's image does: otherwise each
process compiles the templates that it needs.
"""

from service.drawing import svg
from service.reports import rendering


def compile_templates() -> None:
    """Compile the templates and keep them beside their sources (see `service.compiled`)."""
    for environment in (svg.templates(), rendering.environment_of(None)):
        # also what a template includes, such as styles, but not what was compiled before
        for name in environment.list_templates(filter_func=lambda name: "__pycache__" not in name):
            environment.get_template(name)


if __name__ == "__main__":
    compile_templates()
