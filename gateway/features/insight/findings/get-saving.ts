import { roundEstimate } from '../../../../contract/kernel/numbers.ts'
import type { findings, HeadlineGap } from '../../../../contract/findings/calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { dayOf, formatDay } from '../../../../contract/time/periods.ts'
import { CLAIM_DAYS } from '../../../../contract/findings/finding-life.ts'
import { priceReviewOf } from '../../../../contract/tariffs/price-review.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { inHomes } from '../../../store/sql.ts'
import { readLargest } from './list-findings.ts'
import type { Headline } from './headline.ts'

type Call = typeof findings.getSaving
type Saving = ResultsOf<Call>

/** Maximum number of findings shown next to the headline. */
const MAX_TOP = 5

interface Kept {
  HomeID: string
  zone: string
  day: number | null
  saving: Headline | null
  partly: boolean | null
  /** Whether energy of past days is still being rolled up, or has changed since the headline was computed. */
  loading: boolean
}

/** Minimum age of readings from the past, in ms: live ones are rolled up within seconds. */
const PAST_MS = 86_400_000

/** §GetSaving: as last computed. */
export const getSaving: Handler<Call> = async ({ HomeID }, context): Promise<Saving> => {
  const { db, actor, clock } = context
  const isOne = HomeID !== undefined
  const visible = isOne ? [HomeID] : context.homes()
  const homes = await db.query<Kept>(sql`
    select h.home_id as "HomeID", h.time_zone as zone, s.day, s.saving, s.partly, ${isLoading(clock.now() - PAST_MS)} as loading from homes h
    left join home_savings s on s.tenant = h.tenant and s.home_id = h.home_id
    where h.tenant = ${actor.tenant} and ${inHomes(visible, sql`h.home_id`)} order by lower(h.home_name), h.home_id`)
  if (isOne && homes.length === 0) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  const scope = sql`f.tenant = ${actor.tenant} and ${inHomes(visible, sql`f.home_id`)}`
  const [Top, Counts, Verified] = await Promise.all([
    readLargest(db, scope, MAX_TOP),
    readCounts(db, scope),
    readVerified(db, scope),
  ])
  const known = homes.flatMap(({ saving }) => (saving && saving.amount !== null ? [saving] : []))
  const sum = (of: (one: Headline) => number | null) => known.reduce((all, one) => all + (of(one) ?? 0), 0)
  const exact = Math.round(sum(({ amount }) => amount) * 100) / 100
  // A home that was only partly examined does not count as `none`.
  const isAnalyzed = known.some(({ lacks }) => !lacks?.length)
  const State = known.length > 0 && exact > 0 ? 'found' : isAnalyzed ? 'none' : 'tooLittle'
  const isFound = State === 'found'
  const Parts = isFound ? partsOf(known) : undefined
  const Proof = isOne ? proofOf(homes[0]?.saving) : null
  const Prices =
    Proof && priceReviewOf([Proof.Now.PlanID, Proof.Then.PlanID], dayOf(clock.now(), homes[0]?.zone ?? 'UTC'))
  const days = homes.flatMap(({ day }) => day ?? [])
  return {
    State,
    Amount: isFound ? roundEstimate(exact) : null,
    Low: isFound ? roundEstimate(sum(({ low }) => low)) : null,
    High: isFound ? roundEstimate(sum(({ high }) => high)) : null,
    Exact: isFound ? exact : null,
    ...(Parts && { Parts }),
    AsOf: days.length ? formatDay(Math.min(...days)) : null,
    Partly: homes.some(({ partly }) => partly === true),
    Top,
    Counts,
    Verified,
    Lacks: homes.flatMap(lackOf),
    ...(Prices && { Prices }),
    Proof,
  }
}

/** Whether a home has past energy that its headline does not include. */
const isLoading = (before: number): Sql => sql`(
  exists (select from insight_due d where d.tenant = h.tenant and d.home_id = h.home_id and d.reason = 'energy')
  or exists (select from meters m join meter_dirty d on d.meter_id = m.meter_id
    where m.tenant = h.tenant and m.home_id = h.home_id and d.from_timestamp < ${before}::bigint))`

/** Parts of the headline by finding; undefined if an earlier release computed one of the homes. */
function partsOf(homes: readonly Headline[]): Saving['Parts'] {
  if (homes.some(({ counted }) => counted === undefined)) return undefined
  return homes.flatMap(({ counted = {} }) =>
    Object.entries(counted).map(([FindingID, Amount]) => ({ FindingID, Amount })),
  )
}

/** Results stored by an earlier release have no UnionDays. */
const proofOf = (headline: Headline | null | undefined): Saving['Proof'] =>
  headline?.proof ? { ...headline.proof, UnionDays: headline.proof.UnionDays ?? [] } : null

function lackOf({ HomeID, saving, loading }: Kept): HeadlineGap[] {
  const lack: Headline['lack'] = saving
    ? saving.lack
    : { Reason: 'notYet', Have: 0, Needed: CLAIM_DAYS, EnoughOn: null }
  const lacks = [...(lack ? [lack] : []), ...(saving?.lacks ?? [])]
  if (!loading) return lacks.map((one) => ({ HomeID, ...one }))
  // A missing tariff must be entered anyway; the other gaps may close once loading ends.
  return [
    ...lacks.filter(({ Reason }) => Reason === 'tariff'),
    ...lacks
      .filter(({ Reason }) => Reason !== 'tariff')
      .slice(0, 1)
      .map((one) => ({ ...one, Reason: 'loading' as const, EnoughOn: null })),
  ].map((one) => ({ HomeID, ...one }))
}

async function readCounts(db: Db, scope: Sql): Promise<Saving['Counts']> {
  const [row] = await db.query<Saving['Counts']>(sql`
    select count(*) filter (where state = 'open')::int as open, count(*) filter (where state = 'accepted')::int as accepted,
      count(*) filter (where state = 'done')::int as done
    from findings f where ${scope} and is_live`)
  return row ?? { open: 0, accepted: 0, done: 0 }
}

async function readVerified(db: Db, scope: Sql): Promise<Saving['Verified']> {
  const [row] = await db.query<Saving['Verified']>(sql`
    select coalesce(sum((verified ->> 'Amount')::float8), 0) as "Amount", count(*)::int as "Count"
    from findings f where ${scope} and state = 'verified'`)
  return row ?? { Amount: 0, Count: 0 }
}
