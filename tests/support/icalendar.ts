/** RFC 5545 parser of iCalendar objects, independent of the product's writer. */

export interface Property {
  name: string
  params: Record<string, string>
  value: string
}

export interface Component {
  name: string
  properties: Property[]
  components: Component[]
}

/** Parses one object, whose lines end with CRLF and have at most 75 octets (§3.1); throws for anything else. */
export function parseCalendar(text: string): Component {
  if (!text.endsWith('\r\n') || /[^\r]\n|\r[^\n]/.test(text)) throw new Error('Lines end with CRLF')
  for (const line of text.split('\r\n'))
    if (Buffer.byteLength(line) > 75) throw new Error(`A line of more than 75 octets: ${line}`)
  const root: Component = { name: '', properties: [], components: [] }
  const open = [root]
  for (const line of text
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n')
    .slice(0, -1)) {
    const property = parseLine(line)
    const current = open.at(-1) as Component
    if (property.name === 'BEGIN') {
      const component = { name: property.value, properties: [], components: [] }
      current.components.push(component)
      open.push(component)
    } else if (property.name === 'END') {
      if (open.pop()?.name !== property.value) throw new Error(`END:${property.value} ends nothing`)
    } else current.properties.push(property)
  }
  const [calendar] = root.components
  if (open.length !== 1 || root.components.length !== 1 || calendar?.name !== 'VCALENDAR')
    throw new Error('One VCALENDAR is one object')
  return calendar
}

function parseLine(line: string): Property {
  const head = /^([A-Z0-9-]+)((?:;[A-Z0-9-]+=(?:"[^"\p{Cc}]*"|[^";:,\p{Cc}]*))*):/u.exec(line)
  if (!head) throw new Error(`No content line: ${line}`)
  const params: Record<string, string> = {}
  for (const [, name, quoted, bare] of (head[2] ?? '').matchAll(/;([A-Z0-9-]+)=(?:"([^"]*)"|([^";:,]*))/g))
    params[name as string] = quoted ?? bare ?? ''
  return { name: head[1] as string, params, value: line.slice(head[0].length) }
}

export const propertyOf = (component: Component, name: string): Property | undefined => {
  const matches = component.properties.filter((property) => property.name === name)
  if (matches.length > 1) throw new Error(`${name} stands more than once`)
  return matches[0]
}

export const valueOf = (component: Component, name: string): string =>
  propertyOf(component, name)?.value ?? ''

/** TEXT without its escapes (§3.3.11). */
export const textOf = (component: Component, name: string): string =>
  valueOf(component, name).replaceAll(/\\([\\;,nN])/g, (_, char: string) => (/n/i.test(char) ? '\n' : char))

/** Times of a property, epoch ms: in UTC, or in a time zone that the object itself describes (§3.3.5, §3.6.5). */
export function momentsOf(calendar: Component, { params, value, name }: Property): number[] {
  const zone = params['TZID']
  return value.split(',').map((text) => {
    const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/.exec(text)
    if (!parts) throw new Error(`${name} has no date with a time: ${text}`)
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number)
    const wall = Date.UTC(year, month - 1, day, hour, minute, second)
    if ((parts[7] === 'Z') === (zone !== undefined)) throw new Error(`${name} is on no clock or on two`)
    return zone === undefined ? wall : onClock(calendar, zone, wall)
  })
}

/**
 * Time in a zone that a VTIMEZONE describes: the first one for a repeated local time; for a skipped one, with the offset before the change.
 */
export function onClock(calendar: Component, zone: string, wall: number): number {
  const timeZone = calendar.components.find(
    (entry) => entry.name === 'VTIMEZONE' && valueOf(entry, 'TZID') === zone,
  )
  if (!timeZone) throw new Error(`${zone} is not described`)
  const observances = timeZone.components
    .map((one) => ({
      start: wallOf(valueOf(one, 'DTSTART')),
      from: offsetOf(valueOf(one, 'TZOFFSETFROM')),
      to: offsetOf(valueOf(one, 'TZOFFSETTO')),
    }))
    .toSorted((a, b) => a.start - b.start)
  const at = observances.findLast(({ start }) => start <= wall)
  if (!at) throw new Error(`${zone} is not described so early`)
  return wall - (wall < at.start + at.to - at.from ? at.from : at.to)
}

const wallOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'))

function offsetOf(text: string): number {
  const parts = /^([+-])(\d\d)(\d\d)$/.exec(text)
  if (!parts) throw new Error(`No offset: ${text}`)
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3])) * 60_000
}

const DAY = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Starts of an event, ascending: from its rule and dates, without its exclusions (§3.8.5). */
export function startsOf(calendar: Component, event: Component): number[] {
  const first = propertyOf(event, 'DTSTART') as Property
  const starts = new Set(momentsOf(calendar, first))
  const rule = propertyOf(event, 'RRULE')
  if (rule) for (const start of expandRule(calendar, first, rule.value)) starts.add(start)
  for (const property of event.properties) {
    if (property.name === 'RDATE') for (const start of momentsOf(calendar, property)) starts.add(start)
    if (property.name === 'EXDATE')
      for (const start of momentsOf(calendar, property))
        if (!starts.delete(start)) throw new Error('EXDATE leaves out what is not there')
  }
  return [...starts].toSorted((a, b) => a - b)
}

function expandRule(calendar: Component, first: Property, rule: string): number[] {
  const parts = Object.fromEntries(rule.split(';').map((part) => part.split('=') as [string, string]))
  const { FREQ, INTERVAL = '1', UNTIL, BYDAY, BYMONTHDAY, WKST = 'MO', ...more } = parts
  if (Object.keys(more).length > 0 || WKST !== 'MO' || !UNTIL?.endsWith('Z'))
    throw new Error(`Not read: ${rule}`)
  const zone = first.params['TZID'] as string
  const wall = wallOf(first.value)
  const day = Math.floor(wall / DAY)
  const interval = Number(INTERVAL)
  const until = Date.parse(UNTIL.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const monday = day - ((day + 3) % 7)
  const month = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth()
  const isMatch = (on: number): boolean => {
    const date = new Date(on * DAY)
    if (FREQ === 'DAILY') return (on - day) % interval === 0
    if (FREQ === 'WEEKLY')
      return (
        Math.floor((on - monday) / 7) % interval === 0 &&
        (BYDAY ?? '').split(',').includes(WEEKDAYS[date.getUTCDay()] as string)
      )
    if (FREQ !== 'MONTHLY') throw new Error(`Not read: ${rule}`)
    return (month(date) - month(new Date(wall))) % interval === 0 && date.getUTCDate() === Number(BYMONTHDAY)
  }
  const starts: number[] = []
  for (let on = day; on * DAY <= until + DAY; on++) {
    if (!isMatch(on)) continue
    const start = onClock(calendar, zone, on * DAY + (wall % DAY))
    if (start <= until) starts.push(start)
  }
  return starts
}
