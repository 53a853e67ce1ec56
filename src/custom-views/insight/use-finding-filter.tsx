import type { findings } from '../../../contract/findings/calls.ts'
import { FINDING_KINDS, FINDING_STATES } from '../../../contract/findings/finding-life.ts'
import type { RequestOf } from '../../data/api.ts'
import { useMe } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ChoiceFilter } from '../../ui/inputs/choice-filter.tsx'
import { oneOf, useAddress } from '../../ui/page/use-address.ts'

const OWNERS = ['mine', 'nobody'] as const
const NAMES = ['state', 'kind', 'owner'] as const

/** How the findings of a home are narrowed, all of which stands in the address. */
export function useFindingFilter() {
  const t = useT()
  const me = useMe()
  const { get, change } = useAddress()
  const state = oneOf(FINDING_STATES, get('state'))
  const kind = oneOf(FINDING_KINDS, get('kind'))
  const owner = oneOf(OWNERS, get('owner'))
  const input: Omit<RequestOf<typeof findings.listFinding>, 'HomeID'> = {
    ...(state && { Filter: state }),
    ...(kind && { Kind: kind }),
    ...(owner === 'nobody' && { Owner: null }),
    ...(owner === 'mine' && me && { Owner: me.CognitoId }),
  }
  return {
    fields: (
      <>
        <ChoiceFilter
          value={state}
          label={t('insight:findings.filters.state')}
          placeholder={t('insight:findings.filters.current')}
          options={FINDING_STATES.map((value) => ({ value, label: t(`insight:findings.states.${value}`) }))}
          onChange={(next) => change({ state: next })}
        />
        <ChoiceFilter
          value={kind}
          label={t('insight:findings.filters.kind')}
          placeholder={t('insight:findings.filters.anyKind')}
          options={FINDING_KINDS.map((value) => ({ value, label: t(`insight:findings.kinds.${value}`) }))}
          onChange={(next) => change({ kind: next })}
        />
        <ChoiceFilter
          value={owner}
          label={t('insight:findings.filters.owner')}
          placeholder={t('insight:findings.filters.anyOwner')}
          options={OWNERS.map((value) => ({ value, label: t(`insight:findings.filters.${value}`) }))}
          onChange={(next) => change({ owner: next })}
        />
      </>
    ),
    input,
    isOn: state !== undefined || kind !== undefined || owner !== undefined,
    clear: () => change(Object.fromEntries(NAMES.map((name) => [name, undefined]))),
  }
}
