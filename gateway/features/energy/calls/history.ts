import type { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { readMeters } from '../meters/meters.ts'
import { readHistoryRows } from '../query/readings.ts'
import { type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'

type Call = (typeof meterData)['getHistoryStatusData']

/** §3 History log: the stored readings of one meter, a page at a time. Errors: NOT_FOUND. */
export async function getHistory(
  deps: EnergyDeps,
  tenant: string,
  { HomeID, PeripheralUID, From, To, Cursor, Limit }: InputOf<Call>,
): Promise<ResultsOf<Call>> {
  await findHome(deps.db, tenant, HomeID)
  const meter = (await readMeters(deps.db, tenant, HomeID)).find((one) => one.PeripheralUID === PeripheralUID)
  if (!meter)
    throw new GatewayError('NOT_FOUND', `Meter ${PeripheralUID} does not exist`, {
      PeripheralUID: 'notFound',
    })
  if (meter.meterId === null) return { Rows: [], NextCursor: null }
  // Only the roll-up decides which readings count.
  await ensureFresh(deps, [meter.meterId])
  return readHistoryRows(deps.db, meter.meterId, {
    from: Math.max(From, Cursor ?? From),
    to: To,
    limit: Limit,
  })
}
