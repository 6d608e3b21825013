"""What a browser reads when the server refuses a request that never came to the application."""

from services.api.accept_language import preferred_language
from services.api.connection import RefusedRequest
from services.web.answers import HTML, Here
from services.web.problem_page import BY_STATUS, ProblemPage
from services.web.security_headers import PAGE_HEADERS
from services.web.templates import rendered

ENGLISH = "en"


def page_of_refusal(refused: RefusedRequest) -> tuple[dict[str, str], bytes] | None:
    """The headers and the HTML of a refusal; None for a program, which is told of the problem in JSON."""
    if HTML not in refused.header("accept") or refused.path.startswith("/api/"):
        return None
    language = preferred_language(refused.header("accept-language")) or ENGLISH
    page = ProblemPage(refused.status, BY_STATUS[refused.status])
    html = rendered(page.template, language, page=page, here=Here(refused.path, None))
    headers = {"Content-Type": f"{HTML}; charset=utf-8", "Content-Language": language, "Cache-Control": "no-store"}
    return {**PAGE_HEADERS, **headers}, html.encode()
