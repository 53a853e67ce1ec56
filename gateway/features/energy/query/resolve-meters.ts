import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/db.ts'
import type { RequestedMeter } from '../meters/meter-groups.ts'
import { type Meter, termsOf, readVirtualMeters } from '../meters/meters.ts'

/**
 * Resolves the meters and virtual meters of a home that a call names, each once and in its order.
 *
 * errors  NOT_FOUND, with each unknown id
 */
export async function resolveMeters(
  db: Db,
  { tenant, HomeID }: { tenant: string; HomeID: string },
  meters: readonly Meter[],
  ids: readonly string[],
): Promise<RequestedMeter[]> {
  const known = byId(meters)
  const unknown = ids.filter((id) => !known.has(id))
  const virtual = new Map(
    unknown.length
      ? (await readVirtualMeters(db, tenant, HomeID, unknown)).map((one) => [one.VirtualMeterID, one])
      : [],
  )
  return findEach(ids, (id): RequestedMeter | undefined => {
    const [meter, sum] = [known.get(id), virtual.get(id)]
    return meter ? { id, meter } : sum && { id, terms: termsOf(sum, known) }
  })
}

/** Selects the meters that a call names, each once and in its order. Errors: NOT_FOUND, with each unknown id. */
export function filterMeters(meters: readonly Meter[], ids: readonly string[]): Meter[] {
  const known = byId(meters)
  return findEach(ids, (id) => known.get(id))
}

const byId = (meters: readonly Meter[]) => new Map(meters.map((meter) => [meter.PeripheralUID, meter]))

function findEach<Found>(ids: readonly string[], find: (id: string) => Found | undefined): Found[] {
  const fields: Record<string, FieldReason> = {}
  const found = [...new Set(ids)].flatMap((id) => {
    const one = find(id)
    if (one !== undefined) return [one]
    fields[`PeripheralUIDs.${ids.indexOf(id)}`] = 'notFound'
    return []
  })
  if (Object.keys(fields).length)
    throw new GatewayError('NOT_FOUND', 'A meter does not exist in this home', fields)
  return found
}
