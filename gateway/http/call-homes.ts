import type { AnyEndpoint, SiteClass } from '../../contract/kernel/define-endpoint.ts'
import { isRecord } from '../../contract/kernel/is-record.ts'
import { type AccessPlace, EVERYWHERE, mayKnowHome, SOMEWHERE } from '../../contract/kernel/permissions.ts'
import type { Actor } from '../kernel/context.ts'
import { GatewayError } from '../kernel/errors.ts'

/** Classes of calls whose HomeID in the input, if there is one, is the home that they are about. */
const HOME_OF_INPUT: ReadonlySet<SiteClass> = new Set(['input', 'orCompany', 'mixed'])
/** Classes of calls whose handlers decide at which homes the caller has the access. */
const DECIDED_BY_HANDLER: ReadonlySet<SiteClass> = new Set(['record', 'mixed'])
/** Classes of calls whose answers may name any home, by its id only. */
const OF_COMPANY: ReadonlySet<SiteClass> = new Set(['company', 'none'])

/** Place at which a call needs its access, as far as it is known without its body. */
export const widestPlaceOf = ({ sites, mutates }: AnyEndpoint): AccessPlace =>
  sites === 'company' && mutates ? EVERYWHERE : SOMEWHERE

/**
 * Place at which a call with this body needs its access.
 *
 * body    before validation
 * errors  NOT_FOUND if it names a home that the actor may not know, the same as for a nonexistent home
 */
export function accessPlaceOf(endpoint: AnyEndpoint, body: unknown, actor: Actor): AccessPlace {
  const homeId = isRecord(body) ? body['HomeID'] : undefined
  if (typeof homeId === 'string' && HOME_OF_INPUT.has(endpoint.sites)) {
    if (!mayKnowHome(actor, homeId)) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
    return homeId
  }
  return endpoint.sites === 'orCompany' ? EVERYWHERE : widestPlaceOf(endpoint)
}

/**
 * Asserts that an answer was limited to the homes of a person with rights at single homes: its handler has decided about them, and it names no
 * other home. A failure is an error of the gateway.
 */
export function assertLimited(
  { path, sites }: AnyEndpoint,
  actor: Actor | undefined,
  { hasDecided, results }: { hasDecided: boolean; results: unknown },
): void {
  if (!actor || actor.isRoot || actor.homeGrants.length === 0 || OF_COMPANY.has(sites)) return
  if (DECIDED_BY_HANDLER.has(sites) && !hasDecided)
    throw new Error(`${path} does not decide which homes the caller may see`)
  const homeId = findHomeId(results, (id) => !mayKnowHome(actor, id))
  if (homeId !== undefined) throw new Error(`${path} names home ${homeId}, which the caller may not know`)
}

/** First HomeID in an answer that matches, at any depth. */
function findHomeId(value: unknown, matches: (homeId: string) => boolean): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = findHomeId(item, matches)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isRecord(value)) return undefined
  for (const [name, field] of Object.entries(value)) {
    const found =
      name === 'HomeID'
        ? [field].find((id) => typeof id === 'string' && matches(id))
        : name === 'HomeIDs' && Array.isArray(field)
          ? field.find((id) => matches(String(id)))
          : findHomeId(field, matches)
    if (typeof found === 'string') return found
  }
  return undefined
}
