import {
  MAX_UNMAPPED_TEXT,
  unmappedReport,
  type UnmappedReason,
} from '../../../contract/devices/channels/hub-setup.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'
import type { PayloadOf } from '../../../contract/kernel/define-channel.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { UnmappedValue, unmapped } from '../../../contract/setup/calls.ts'
import type { ThingKey } from '../../../contract/devices/thing.ts'
import type { ReceivedMessage } from '../../kernel/broker.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { truncateText, parseHubBytes } from '../../lib/parse-bytes.ts'
import { type Db, sql } from '../../kernel/db.ts'

/**
 * Stores the hubs' reports of values that are received and not shown.
 *
 * errors  UNAVAILABLE while the database is unavailable: the broker buffers the message
 */
export function createUnmapped({ db, events, clock }: Pick<Deps, 'db' | 'events' | 'clock'>) {
  async function receive({ payload, client }: Pick<ReceivedMessage, 'payload' | 'client'>): Promise<void> {
    if (client.party !== 'hub') return
    const { tenant, thingName } = client
    const body = parseHubBytes(payload)
    const report = unmappedReport.payload.safeParse(withValidEntries(body))
    if (report.success) {
      await store(db, { tenant, thingName, at: clock.now() }, report.data)
      events.emit('reportWell', { thingName, uid: '', fields: [''], message: 'unmapped' })
    } else
      events.emit('reportFaulty', {
        ...{ tenant, thingName, message: 'unmapped' },
        faults: [{ uid: '', field: '', reason: 'malformed', value: undefined }],
      })
  }
  return { handlers: { listUnmapped }, receive }
}

/** Report without invalid entries, which still count in the total. */
function withValidEntries(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body['Entries'])) return body
  const entry = unmappedReport.payload.shape.Entries.element
  return { ...body, Entries: body['Entries'].filter((one) => entry.safeParse(one).success) }
}

const keyOf = ({ Topic, Reason }: { Topic: string; Reason: UnmappedReason }) => `${Reason} ${Topic}`

/** Replaces the report of a hub; existing entries keep their time. */
async function store(
  db: Db,
  { tenant, thingName, at }: { tenant: string; thingName: string; at: number },
  { Total, Entries }: PayloadOf<typeof unmappedReport>,
): Promise<void> {
  const text = (value: string | null | undefined, max: number) => (value ? truncateText(value, max) : null)
  await db.transaction(async (tx) => {
    const [before] = await tx.query<{ entries: UnmappedValue[] }>(
      sql`select entries from unmapped_topics where thing_name = ${thingName} for update`,
    )
    const since = new Map(before?.entries.map((one) => [keyOf(one), one.Since]))
    const entries = Entries.map(({ Topic, Name, Reason, Detail }): UnmappedValue => {
      const key = { Topic: truncateText(Topic, MAX_UNMAPPED_TEXT.topic), Reason }
      return {
        ...key,
        Name: text(Name, MAX_UNMAPPED_TEXT.name),
        Detail: text(Detail, MAX_UNMAPPED_TEXT.detail),
        Since: since.get(keyOf(key)) ?? at,
      }
    })
    await tx.query(sql`
      insert into unmapped_topics (thing_name, tenant, reported_at, total, entries)
      select thing_name, tenant, ${at}::bigint, ${Math.min(Math.max(Total, entries.length), 1_000_000)}::int,
        ${JSON.stringify(entries)}::jsonb
      from things where tenant = ${tenant} and thing_name = ${thingName}
      on conflict (thing_name) do update set reported_at = excluded.reported_at, total = excluded.total,
        entries = excluded.entries`)
  })
}

async function listUnmapped(
  { HomeID, ThingName }: ThingKey,
  { db, actor }: SignedIn,
): Promise<ResultsOf<(typeof unmapped)['listUnmapped']>> {
  const [found] = await db.query<{
    at: number | null
    total: number | null
    entries: UnmappedValue[] | null
  }>(sql`
    select u.reported_at as at, u.total, u.entries from things t left join unmapped_topics u using (tenant, thing_name)
    where t.tenant = ${actor.tenant} and t.home_id = ${HomeID} and t.thing_name = ${ThingName}`)
  if (!found) throw new GatewayError('NOT_FOUND', `Hub ${ThingName} does not exist`)
  return { ReportedAt: found.at, Total: found.total ?? 0, Entries: found.entries ?? [] }
}
