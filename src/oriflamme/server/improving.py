"""Lists made better, as a job: begun by the muster page, looked at while it goes on, stopped whenever somebody likes.

One process thinks about one list at a time, battle by battle; jobs wait for each other. Who begins a job learns its
name, which nobody can guess, and asks how far it is; a job that nobody asks about is stopped.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from functools import lru_cache
from time import monotonic
from typing import Annotated, Any, Final
from weakref import WeakKeyDictionary

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.lists.drafts import Draft
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, did_you_mean, problem_with
from oriflamme.games import load
from oriflamme.lab.improving import Findings, Plan, Search, Trial, Work, findings, play_trial
from oriflamme.lab.tournament import Line
from oriflamme.server.battles import Request, Word, house_rules
from oriflamme.server.site import NotFound, Site, body, get, post, respond
from oriflamme.server.workers import ASKS, Checkers, GaveUp

Data = dict[str, Any]
Known = dict[Trial, Line]

MOST_BATTLES: Final = 400
MOST_JOBS: Final = 8  # that go on or wait at the same time
OF_ONE: Final = 4  # of them for one address
KEPT: Final = 32  # jobs that are over
UNWATCHED: Final = 60.0  # seconds after which nobody seems to wait for it any more
UNDER_WAY: Final = ("waiting", "running")
BATTLE: Final = 60.0  # seconds that a battle may take

log = logging.getLogger("oriflamme.server")


class Improve(Request):
    """A list to be made better against ready-made lists of its size; against all of them if none is named."""

    draft: Draft
    options: dict[Word, Word] = msgspec.field(default_factory=dict)
    against: Annotated[list[Word], msgspec.Meta(max_length=32)] = msgspec.field(default_factory=list)
    battles: Annotated[int, msgspec.Meta(ge=20, le=MOST_BATTLES)] = 200


# -- called in another process -----------------------------------------------------------------------------------------


def planned(game: str, wanted: Improve) -> tuple[Plan, int]:
    """The search that is wanted, and how many battles it takes; raises Problems."""
    known = load(game)
    reader = known.armies().reader
    ready = [id for id in sorted(reader.ready) if reader.load(id, known.defaults()).points == wanted.draft.points]
    for id in wanted.against:
        if id not in ready:
            raise problem_with("against", notice("no_list", list=id), hint=did_you_mean(id, ready))
    if not ready:
        raise problem_with("against", notice("no_list_of_size", points=wanted.draft.points))
    field = tuple(wanted.against) or tuple(ready)
    plan = Plan(game, wanted.draft, field, wanted.battles, options=house_rules(known, wanted.options))
    return plan, _search(msgspec.json.encode(plan)).all_battles


@lru_cache(maxsize=2)
def _search(plan: bytes) -> Search:
    return Search(msgspec.json.decode(plan, type=Plan))


def missing(plan: Plan, known: Known) -> list[Work]:
    """The battles that are to be played next; none when the search is over."""
    search = _search(msgspec.json.encode(plan))
    for trials in search.rounds(known):
        todo = [search.work(trial) for trial in trials if trial not in known]
        if todo:
            return todo
    return []


def found(plan: Plan, known: Known) -> Findings:
    """What has come of it."""
    return findings(_search(msgspec.json.encode(plan)), known)


# -- in the server -----------------------------------------------------------------------------------------------------


class Job:
    """One search, and how far it is: it waits, runs, is over, was stopped or has failed."""

    def __init__(self, plan: Plan, battles: int) -> None:
        self.plan = plan
        self.battles = battles
        self.by = ASKS.get()
        self.done = 0
        self.state = "waiting"
        self.findings: Findings | None = None
        self.asked = monotonic()
        self.task: asyncio.Task[None] | None = None

    @property
    def is_wanted(self) -> bool:
        """It is not over yet, and somebody still waits for it."""
        return self.state in UNDER_WAY and monotonic() - self.asked < UNWATCHED

    def data(self) -> Data:
        found = msgspec.to_builtins(self.findings) if self.findings is not None else None
        return {"state": self.state, "done": self.done, "battles": self.battles, "found": found}


class Jobs:
    """The searches of one server."""

    def __init__(self) -> None:
        self.all: dict[str, Job] = {}
        self.worker: Checkers | None = None
        self._turn = asyncio.Lock()

    def begin(self, plan: Plan, battles: int) -> str:
        """Begin a job; raises Problems where too many are under way."""
        over = [id for id, job in self.all.items() if not job.is_wanted]
        own = sum(job.is_wanted and job.by == ASKS.get() for job in self.all.values())
        if own >= OF_ONE or len(self.all) - len(over) >= MOST_JOBS:
            raise problem_with("request", notice("too_many_searches"), hint=notice("try_again"))
        for id in over[: max(0, len(over) - KEPT)]:
            del self.all[id]
        id, job = secrets.token_urlsafe(12), Job(plan, battles)
        self.all[id] = job
        job.task = asyncio.create_task(self._live(job))
        return id

    async def _live(self, job: Job) -> None:
        async with self._turn:
            try:
                await self._search(job)
            except (GaveUp, Problems, RuntimeError) as error:
                log.warning("a list could not be made better: %s", error)
                job.state = "failed"
        if not any(one.is_wanted for one in self.all.values()) and self.worker is not None:
            self.worker.close()
            self.worker = None

    async def _search(self, job: Job) -> None:
        known: Known = {}
        self.worker = self.worker or Checkers(1, patience=BATTLE)
        while job.is_wanted:
            job.state = "running"
            works = await self.worker.call(missing, job.plan, known)
            if not works:
                job.findings = await self.worker.call(found, job.plan, known)
                job.state = "over"
            for work in works:
                if not job.is_wanted:
                    break
                trial, line = await self.worker.call(play_trial, work)
                known[trial] = line
                job.done = len(known)
        if job.state != "over":
            job.state = "stopped"


_JOBS: WeakKeyDictionary[Site, Jobs] = WeakKeyDictionary()


def _jobs(site: Site) -> Jobs:
    return _JOBS.setdefault(site, Jobs())


def _job(site: Site, request: HttpRequest) -> Job:
    job = _jobs(site).all.get(request.path_params["job"])
    if job is None:
        raise NotFound
    return job


async def begin(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, Improve)
    plan, battles = await site.apart(planned, request.path_params["game"], wanted)
    return respond({"job": _jobs(site).begin(plan, battles), "battles": battles})


async def look(site: Site, request: HttpRequest) -> Response:
    job = _job(site, request)
    job.asked = monotonic()
    return respond(job.data())


async def stop(site: Site, request: HttpRequest) -> Response:
    """It ends after the battle that is being played."""
    job = _job(site, request)
    if job.state in UNDER_WAY:
        job.state = "stopped"
    return respond(job.data())


ROUTES: Final = (
    post("/api/muster/{game}/improve", begin, "thoughts"),
    get("/api/improve/{job}", look),
    post("/api/improve/{job}/stop", stop),
)
