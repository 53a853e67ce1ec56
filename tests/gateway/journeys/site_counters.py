"""A site's counters by the documented protocol alone, and what they come to by this script's own arithmetic.

A grid meter with two registers and a plant, read at uneven moments, with gaps and resets, are sent shuffled and partly twice, as a hub
sends them (docs/hub-protocol.md). Then the site's roles are said and its energy is asked for; everything is compared with what the
script added up itself (docs/energy.md). Prints one JSON object: how far each total lies apart at most, in kWh, and how much there was.

Arguments: address of the gateway, an id token of the company's owner, port of the broker.
"""

import json
import random
import socket
import struct
import sys
import time
import urllib.request

URL, TOKEN, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
MINUTE = 60_000
QUARTER = 15 * MINUTE
DAY = 96 * QUARTER
#: Taipei has no summer time.
OFFSET = 8 * 3_600_000
DAYS = 10


def call(path, **body):
    request = urllib.request.Request(
        URL + path,
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + TOKEN},
        method="POST",
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        said = json.load(answer)
    if said["status"]["code"] != 0:
        sys.exit(path + " " + json.dumps(said["status"]))
    return said["results"]


class Hub:
    """MQTT 3.1.1: connect, publish with QoS 1, wait until each is acknowledged."""

    def __init__(self, name, secret):
        self.socket = socket.create_connection(("127.0.0.1", PORT), timeout=60)
        self.number = 0
        variable = self.text("MQTT") + bytes([4, 0b11000010]) + struct.pack("!H", 60)
        self.send(0x10, variable + self.text(name) + self.text(name) + self.text(secret))
        kind, body = self.receive()
        assert kind == 0x20 and body[1] == 0, "The broker refused the hub"

    @staticmethod
    def text(value):
        data = value.encode()
        return struct.pack("!H", len(data)) + data

    def send(self, kind, body):
        length, left = b"", len(body)
        while True:
            left, digit = divmod(left, 128)
            length += bytes([digit | (0x80 if left else 0)])
            if not left:
                break
        self.socket.sendall(bytes([kind]) + length + body)

    def take(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            assert more, "The broker has gone"
            data += more
        return data

    def receive(self):
        kind, length, shift = self.take(1)[0], 0, 0
        while True:
            digit = self.take(1)[0]
            length |= (digit & 0x7F) << shift
            shift += 7
            if not digit & 0x80:
                return kind & 0xF0, self.take(length)

    def publish(self, topic, payload):
        self.number += 1
        head = self.text(topic) + struct.pack("!H", self.number)
        self.send(0x32, head + json.dumps(payload).encode())
        while True:
            kind, body = self.receive()
            if kind == 0x40 and struct.unpack("!H", body)[0] == self.number:
                return


def counters(chance, begin, registers):
    """Readings of a meter as (moment, [counter of each register]), ascending; registers say their kW by the hour of the day."""
    readings, shown, at = [], [chance.uniform(100, 900) for _ in registers], begin + chance.randrange(QUARTER)
    end = begin + DAYS * DAY
    while at < end:
        readings.append((at, [round(one, 3) for one in shown]))
        # A gap now and then, up to seven hours.
        step = chance.randrange(4, 19) * MINUTE + chance.randrange(60) * 1000
        if chance.random() < 0.02:
            step += chance.randrange(30, 400) * MINUTE
        hour = (at + OFFSET) % DAY / 3_600_000
        for i, power in enumerate(registers):
            shown[i] += power(hour) * chance.random() * step / 3_600_000
            # One that has only just begun again would be taken for a slip.
            if chance.random() < 0.004 and shown[i] > 60:
                shown[i] = chance.random() / 10
        at += step
    return readings


def by_quarter(readings):
    """kWh of each quarter of an hour of which anything is known: what moved is shared over time, a fall counts nothing."""
    energy = {}
    for (at, was), (to, now) in zip(readings, readings[1:]):
        last = (to - 1) // QUARTER
        if now < was:
            energy.setdefault(last, 0.0)
            continue
        for quarter in range(at // QUARTER, last + 1):
            part = min(to, (quarter + 1) * QUARTER) - max(at, quarter * QUARTER)
            energy[quarter] = energy.get(quarter, 0.0) + (now - was) * part / (to - at)
    return energy


def fallen_quarters(readings):
    """Quarters in which a span over a fall of the counter begins or ends: the balance does not know them."""
    falls = [(at, to) for (at, was), (to, now) in zip(readings, readings[1:]) if now < was]
    return {quarter for at, to in falls for quarter in (at // QUARTER, (to - 1) // QUARTER)}


def add_site():
    home = call("/CreateHome", HomeName="Counters", TimeZone="Asia/Taipei")["HomeID"]
    thing = call("/AddThing", HomeID=home, DeviceName="Counters")
    root = call("/GetPersonalPermissions")["RootCognitoId"]
    hub = Hub(thing["ThingName"], thing["Secret"])
    shadow = "$aws/things/%s/shadow/name/" % thing["ThingName"]
    hub.publish(shadow + "info/update", {"state": {"reported": {"online": True}}})
    devices = [{"PeripheralUID": uid, "PeripheralType": "514", "PeripheralName": uid} for uid in ("grid", "sun")]
    hub.publish(shadow + "registration/update", {"state": {"reported": {"Peripherals": devices}}})
    for _ in range(100):
        if len(call("/ListDiscoveredPeripheral", HomeID=home)) == 2:
            break
        time.sleep(0.1)
    call("/AddPeripherals", HomeID=home, Peripherals=[{k: d[k] for k in ("PeripheralUID", "PeripheralName")} for d in devices])
    return home, hub, "%s/%s/meter/report" % (root, home), thing["ThingName"]


def feed(chance, hub, topic, thing, meters):
    rows = []
    for uid, readings in meters.items():
        for at, shown in readings:
            row = {"PeripheralUID": uid, "Timestamp": at, "AccumulatePower": shown[0]}
            if len(shown) > 1:
                row["AccumulateReturn"] = shown[1]
            rows.append(row)
    rows += chance.sample(rows, len(rows) // 30)
    chance.shuffle(rows)
    for i in range(0, len(rows), 200):
        hub.publish(topic, {"ThingName": thing, "Readings": rows[i : i + 200]})
    return len(rows)


def main():
    chance = random.Random(11)
    today = (int(time.time() * 1000) + OFFSET) // DAY * DAY - OFFSET
    begin = today - DAYS * DAY
    home, hub, topic, thing = add_site()
    sunny = lambda hour: max(0.0, 1 - abs(hour - 12.5) / 6)
    grid = counters(chance, begin, [lambda hour: 9, lambda hour: 12 * sunny(hour)])
    sun = counters(chance, begin, [lambda hour: 30 * sunny(hour)])
    sent = feed(chance, hub, topic, thing, {"grid": grid, "sun": sun})
    for meter, role in (("grid", "gridImport"), ("grid.return", "gridExport"), ("sun", "generation")):
        call("/SetMeterFact", HomeID=home, MeterID=meter, Fact="role", Value=role, From=None)

    registers = {
        "Import": [(at, shown[0]) for at, shown in grid],
        "Export": [(at, shown[1]) for at, shown in grid],
        "Generation": [(at, shown[0]) for at, shown in sun],
    }
    own = {name: by_quarter(readings) for name, readings in registers.items()}
    known = set(own["Import"]) & set(own["Export"]) & set(own["Generation"])
    known -= set().union(*(fallen_quarters(readings) for readings in registers.values()))
    own["Consumption"] = {q: own["Import"][q] + own["Generation"][q] - own["Export"][q] for q in known}

    apart = {}
    note = lambda name, ours, told: apart.update({name: max(apart.get(name, 0.0), abs(ours - (told or 0.0)))})
    spans = {"quarter": QUARTER, "hour": 4 * QUARTER, "day": DAY}
    for resolution in ("quarter", "hour", "day", "month"):
        span = {"HomeID": home, "From": begin, "To": today, "Resolution": resolution}
        points = call("/GetEnergyBalance", **span)["Points"]
        for name, energy in own.items():
            note("total " + name, sum(energy.values()), sum(point[name] or 0.0 for point in points))
            if resolution == "month":
                continue
            for i, point in enumerate(points):
                first = (begin + i * spans[resolution]) // QUARTER
                ours = sum(energy.get(q, 0.0) for q in range(first, first + spans[resolution] // QUARTER))
                note(resolution + " " + name, ours, point[name])
        for flow in ("consumption", "import", "export", "generation"):
            series = call("/GetEnergySeries", Flow=flow, **span)["Series"]
            told = sum(point["kWh"] or 0.0 for point in series[0]["Points"])
            note("series " + flow, sum(own[flow.capitalize()].values()), told)
    falls = sum(b[1][i] < a[1][i] for m in (grid, sun) for a, b in zip(m, m[1:]) for i in range(len(a[1])))
    print(json.dumps({"apart": apart, "sent": sent, "falls": falls, "unknown": DAYS * 96 - len(known), "kWh": sum(own["Consumption"].values())}))


main()
