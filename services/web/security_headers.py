"""What a browser may do with a page of ours: load its parts from here, and nothing else.

A route for pages takes `PAGE_HEADERS` as its `response_headers`, and a page that answers a failure sends them
itself; the envelope around all answers leaves both as they are.
"""

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No script or style inside a page, no other host; drawings are SVG in the page or files of ours."""

PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

PAGE_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""No other site learns a page's address, which may hold an invite's code.

Not `no-referrer`: browsers then say of a form's page that its origin is `null`, and its cookie changes nothing.
"""
