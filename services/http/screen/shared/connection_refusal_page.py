"""The page for a browser whose request the server refuses before it comes to the application."""

from services.http.middleware.accept_language import preferred_language
from services.http.middleware.connection_limits import RefusedRequest
from services.http.screen.shared.page_responses import HTML, Here
from services.http.screen.shared.problem_page import BY_STATUS, ProblemPage
from services.http.screen.shared.security_headers import PAGE_HEADERS
from services.http.screen.shared.templates import render_template
from services.runtime.base_path import below, within

ENGLISH = "en"


def page_of_refusal(refusal: RefusedRequest, base: str = "") -> tuple[dict[str, str], bytes] | None:
    """The headers and the HTML of a refusal, by a service below the path `base`.

    None for a program, which is told of the problem in JSON.
    """
    path = within(base, refusal.path)
    if HTML not in refusal.header("accept") or path.startswith("/api/"):
        return None
    language = preferred_language(refusal.header("accept-language")) or ENGLISH
    page = ProblemPage(refusal.status, BY_STATUS[refusal.status])
    with below(base):
        html = render_template(page.template, language, page=page, here=Here(path, None))
    headers = {"Content-Type": f"{HTML}; charset=utf-8", "Content-Language": language, "Cache-Control": "no-store"}
    return {**PAGE_HEADERS, **headers}, html.encode()
