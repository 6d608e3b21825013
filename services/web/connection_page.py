"""What a browser reads when the server refuses a request that never came to the application."""

from services.api.accept_language import preferred_language
from services.api.connection import RefusedRequest
from services.runtime.base_path import below, within
from services.web.answers import HTML, Here
from services.web.problem_page import BY_STATUS, ProblemPage
from services.web.security_headers import PAGE_HEADERS
from services.web.templates import rendered

ENGLISH = "en"


def page_of_refusal(refused: RefusedRequest, base: str = "") -> tuple[dict[str, str], bytes] | None:
    """The headers and the HTML of a refusal, by a service below the path `base`.

    None for a program, which is told of the problem in JSON.
    """
    path = within(base, refused.path)
    if HTML not in refused.header("accept") or path.startswith("/api/"):
        return None
    language = preferred_language(refused.header("accept-language")) or ENGLISH
    page = ProblemPage(refused.status, BY_STATUS[refused.status])
    with below(base):
        html = rendered(page.template, language, page=page, here=Here(path, None))
    headers = {"Content-Type": f"{HTML}; charset=utf-8", "Content-Language": language, "Cache-Control": "no-store"}
    return {**PAGE_HEADERS, **headers}, html.encode()
