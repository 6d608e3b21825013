"""The screen: pages for a browser beside the API, made from the same use cases. Each feature has a folder.

How a page is added:

1. `<feature>/<page>.py` has a `Page` struct with everything its template shows, already decided: names, never
ids; sentences made by `say`; a `template` and a `title`. A template sees that struct and `here`, never state. 2.
In the same file a route makes it: `@get("/there")` with `visit: NamedDependency[Visit]` (the request; its
`signed_in` raises `SignInFirst`), and `return show_page(visit, ThatPage(…))`. 3. `<page>.html` beside
it begins with `{% extends "base.html" %}`, fills `{% block main %}`, and has one `h1`. Texts are `{{ say("{n}
left", n=page.left) }}` and `say_many(…)`; their French goes into `projections/languages/fr/web.po` (`python -m
tests.languages web` adds what is missing). Values are escaped; markup made in Python, such as an SVG, is a
`Markup`. Filters: `told` (a `Sentence`), `day`, `ago`, `figure`. 4. `routes.py` lists the route. A form posts
urlencoded to a route that reads it by `shared.forms`, calls what the API calls, and answers `see_other(path)`; a
refusal shows the page again with what was entered. 5. Looks live in `shared/static/app.css`: no inline style or
script, the policy refuses both. A file there is linked by `asset("app.css")`, which carries its hash. 6. A panel
of the table is in `table/table.py`: a `Panel` struct, the function that makes it, and a template that is one
`section`, which also stands alone. `shared/static/feed.js` asks for it again when an action touches what it
shows. A form with `data-act` and `data-told` inside is sent in place by `connection.js` beside it. 7. A step
that is not easily taken back has a page of its own that says what it means: a `Step` of `shared.confirmation`,
for campaigns and members one line in the tables of `shared.campaign_steps`.
"""
