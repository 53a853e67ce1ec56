import type { findings } from '../../../../contract/findings/calls.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { type Db, join, sql } from '../../../kernel/db.ts'
import { paginate } from '../../../store/page.ts'
import { COLUMNS, findingOf, type FindingRow, FROM } from './finding-rows.ts'

/** §ListFinding: the largest amount first. */
export const listFinding: Handler<typeof findings.listFinding> = async (input, { db, actor }) => {
  const { HomeID, Filter, Kind, Owner, FindingID } = input
  if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
  const where = join(
    [
      sql`f.tenant = ${actor.tenant}`,
      ...(HomeID === undefined ? [] : [sql`f.home_id = ${HomeID}`]),
      // A request by FindingID returns the finding in any state.
      ...(FindingID === undefined ? [stateIs(Filter)] : [sql`f.finding_id = ${FindingID}::uuid`]),
      ...(Kind === undefined ? [] : [sql`f.kind = ${Kind}`]),
      ...(Owner === undefined ? [] : [sql`f.owner is not distinct from ${Owner}::uuid`]),
    ],
    ' and ',
  )
  const page = paginate({
    by: sql`f.place`,
    cast: 'bigint',
    id: sql`f.finding_id::text`,
    descending: true,
    Cursor: input.Cursor,
    Limit: input.Limit,
  })
  const [found, [count]] = await Promise.all([
    db.query<FindingRow & { placeBy: number; placeId: string }>(
      sql`select ${COLUMNS}, ${page.place} from ${FROM} where ${where} and ${page.after} ${page.order}`,
    ),
    db.query<{ total: number }>(sql`select count(*) as total from findings f where ${where}`),
  ])
  const { Rows, NextCursor } = page.answer<FindingRow>(found)
  return { Rows: Rows.map(findingOf), NextCursor, Total: count?.total ?? 0 }
}

const stateIs = (filter: string) =>
  filter === 'current' ? sql`f.state in ('open', 'accepted', 'done')` : sql`f.state = ${filter}`

/** One finding of a home. Errors: NOT_FOUND. */
export async function findingById(
  db: Db,
  tenant: string,
  HomeID: string,
  FindingID: string,
): Promise<FindingRow> {
  const [row] = await db.query<FindingRow>(sql`select ${COLUMNS} from ${FROM}
    where f.tenant = ${tenant} and f.home_id = ${HomeID} and f.finding_id = ${FindingID}::uuid`)
  if (!row) throw new GatewayError('NOT_FOUND', `Finding ${FindingID} does not exist`)
  return row
}
