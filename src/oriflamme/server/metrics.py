"""What a server tells those who watch over it: counts and times, in the format of Prometheus. Nothing of any battle."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oriflamme.server.site import NotFound, Site, get


def _may_look(request: Request) -> bool:
    """Whoever asks from this machine, or from where the owner has said (`ORIFLAMME_METRICS`)."""
    try:
        asks = ipaddress.ip_address(request.client.host if request.client else "")
        named = filter(None, os.environ.get("ORIFLAMME_METRICS", "").split(","))
        return asks.is_loopback or any(asks in ipaddress.ip_network(one.strip()) for one in named)
    except ValueError:
        return False


class _Collector:
    """Looks at a site when it is asked."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        site, store, gate = self.site, self.site.store, self.site.gate
        for name, about, value in (
            ("battles_in_memory", "Battles in memory.", len(site.rooms)),
            ("clients", "Clients at tables.", gate.sitting),
            ("waiting_bytes", "Bytes that wait to be sent.", site.backlog.waiting),
            ("store_ok", "1 if the store took what it was last given.", int(not store.trouble)),
        ):
            yield GaugeMetricFamily(f"oriflamme_{name}", about, value=value)
        for name, about, value in (
            ("answers", "Answers stored.", store.timings.count),
            ("cut_off", "Clients that were cut off since they did not read.", site.backlog.cut),
            ("given_up", "Bots and lists that were given up.", site.thinkers.given_up + site.checkers.given_up),
        ):
            yield CounterMetricFamily(f"oriflamme_{name}", about, value=value)
        hits = CounterMetricFamily("oriflamme_limits_hit", "How often a limit was reached.", labels=["limit"])
        for limit, number in sorted(gate.hits.items()):
            hits.add_metric([limit], number)
        yield hits
        buckets, total = store.timings.buckets()
        yield HistogramMetricFamily(
            "oriflamme_store_seconds", "How long an answer took to be stored.", buckets=buckets, sum_value=total
        )


async def get_metrics(site: Site, request: Request) -> Response:
    """The counts and times of this process."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

    if not _may_look(request):
        raise NotFound
    registry = CollectorRegistry()
    registry.register(_Collector(site))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


ROUTES = (get("/metrics", get_metrics),)
