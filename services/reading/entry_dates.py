"""Entries of the ledger beside their campaign as it stood when reading began: dates, titles, what was undone."""

from datetime import datetime
from typing import Literal, TypeAlias

from domain.campaign.calendar_shapes import date_of
from domain.campaign.settings import OWN, CampaignSettings, settings_of
from domain.ids import ActionId
from projections.campaign.dates import date_in
from projections.campaign.ledger import LedgerEntry
from projections.campaign.ledger_account_names import account_title
from projections.campaign.ledger_files.entry_date import EntryDate
from projections.languages import render
from services.campaign.visible_campaign import VisibleCampaign

DatesOf: TypeAlias = Literal["game", "real"]
"""The calendar that dates an entry: the campaign's, or that of the day on which it was recorded, in UTC."""


class EntryDates:
    """The dates, titles and undos of entries as they stood when a file was begun; the campaign goes on."""

    def __init__(self, campaign: VisibleCampaign) -> None:
        self._campaign = campaign
        settings: CampaignSettings = settings_of(OWN, campaign.state.changed_settings)
        self._calendar = settings.calendar
        self._undone = {action: undo.undone_in for action, undo in campaign.state.undone.items()}
        self._titles: dict[str, str] = {}

    def date(self, entry: LedgerEntry, dates: DatesOf) -> EntryDate:
        """The date of an entry."""
        if dates == "game":
            day = date_of(entry.game_time, self._calendar)
            return EntryDate(day.year, day.month, day.day)
        recorded = datetime.fromisoformat(entry.at)
        return EntryDate(recorded.year, recorded.month, recorded.day)

    def game_date(self, entry: LedgerEntry) -> str:
        """The date of the campaign's calendar, in words."""
        return date_in(self._campaign.language, entry.game_time, self._calendar).text

    def undone_in(self, entry: LedgerEntry) -> ActionId | None:
        """The action that undid the action of an entry."""
        return self._undone.get(entry.action_id)

    def title(self, account: str) -> str:
        """The name of an account for people."""
        if account not in self._titles:
            self._titles[account] = render(account_title(account, self._campaign.name), self._campaign.language)
        return self._titles[account]
