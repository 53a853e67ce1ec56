import { Checkbox, Select } from 'antd'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../../contract/time/periods.ts'
import type { VirtualTerm } from '../../../../contract/meters/virtual-meter.ts'
import { METER_ROLES, type MeterRole } from '../../../../contract/devices/meter-roles.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import page from '../../../ui/page/page.module.css'
import { FactDialog } from '../facts/fact-dialog.tsx'
import type { Place } from '../common/place.ts'
import { firstDay, Since, type SinceChoice } from '../common/fields.tsx'
import { meterFacts } from '../../../../contract/meters/fact-calls.ts'
import type { RoleChange } from '../../../../contract/energy/role-answers.ts'
import { useAction } from '../../../data/use-action.ts'

interface MeterWithParent {
  MeterID: string
  parent: string | null
}

/** Whether a virtual meter subtracts others from a single meter, and so is a part of that meter. */
const isDifference = (terms: readonly VirtualTerm[]): boolean =>
  terms.some(({ Factor }) => Factor < 0) && terms.filter(({ Factor }) => Factor > 0).length === 1

/** The meter from which others are subtracted. */
const mainOf = (terms: readonly VirtualTerm[]): string | undefined =>
  terms.find(({ Factor }) => Factor > 0)?.PeripheralUID

/**
 * Parents of a virtual meter and its terms such that nothing counts twice: a difference goes below the meter it divides; a sum goes above
 * its terms and below their common parent.
 */
function placesOf(
  id: string,
  terms: readonly VirtualTerm[],
  meters: ReadonlyMap<string, { ParentMeter: string | null }>,
): MeterWithParent[] {
  if (isDifference(terms)) return [{ MeterID: id, parent: mainOf(terms) ?? null }]
  const added = terms.filter(({ Factor }) => Factor > 0).map(({ PeripheralUID }) => PeripheralUID)
  const newParents = new Set(added.map((uid) => meters.get(uid)?.ParentMeter ?? null))
  const [parent] = newParents.size === 1 ? [...newParents] : [null]
  return [{ MeterID: id, parent: parent ?? null }, ...added.map((uid) => ({ MeterID: uid, parent: id }))]
}

interface SaveRolesInput {
  changes: readonly RoleChange[]
  /** Meters whose parent changes as well. */
  places?: readonly MeterWithParent[]
  /** The first day; null for always. */
  From: string | null
}

/** Sets the roles of meters from a day on, in one transaction. */
export const useSaveRoles = (HomeID: string) =>
  useAction(
    ({ changes, places = [], From }: SaveRolesInput, send) =>
      send(meterFacts.setMeterFacts, {
        HomeID,
        Facts: [
          ...changes.flatMap(({ MeterID, Role, raised }) => [
            ...(raised ? [{ MeterID, Fact: 'parent' as const, Value: null, From }] : []),
            { MeterID, Fact: 'role' as const, Value: Role, From },
          ]),
          ...places.map(({ MeterID, parent }) => ({ MeterID, Fact: 'parent' as const, Value: parent, From })),
        ],
      }),
    { feedback: 'fields' },
  )

interface Props {
  place: Place
  id: string
  /** Present role; undefined for a virtual meter that is in no total. */
  role: MeterRole | undefined
  terms?: readonly VirtualTerm[]
  close: () => void
}

/** Dialog for the role of a meter and its first day; the gateway rejects a role that does not fit the parent meter. */
export function RoleDialog({ place, id, role, terms, close }: Props) {
  const t = useT()
  const today = formatDay(dayOf(useNow(), place.zone))
  const [value, choose] = useState<MeterRole>(role ?? 'load')
  const [places, setPlaces] = useState(true)
  const [since, setSince] = useState<SinceChoice>({ way: 'always', date: today })
  const { busy, refused, run } = useSaveRoles(place.homeId)
  const name = place.nameOf(id)
  const From = firstDay(since, today)
  const save = async () => {
    if (From === undefined) return
    const virtualPlaces = places && terms ? placesOf(id, terms, place.meters) : []
    const isDone = await run(
      { changes: [{ MeterID: id, Role: value, raised: false }], places: virtualPlaces, From },
      () => tNow('balance:role.done', { name }),
    )
    if (isDone) close()
  }
  return (
    <FactDialog
      title={t('balance:role.title', { name })}
      explanation={t(terms ? 'balance:role.whyVirtual' : 'balance:role.why')}
      isWhole={From !== undefined}
      {...{ busy, refused, save, close }}
    >
      <Select
        aria-label={t('balance:role.label')}
        value={value}
        onChange={choose}
        options={METER_ROLES.map((meterRole) => ({
          value: meterRole,
          label: t(`balance:roles.${meterRole}`),
        }))}
      />
      <p className={page.hint}>{t(`balance:roleHelp.${value}`)}</p>
      {terms && (
        <Checkbox checked={places} onChange={({ target }) => setPlaces(target.checked)}>
          {isDifference(terms)
            ? t('balance:role.below', { name: place.nameOf(mainOf(terms) ?? '') })
            : t('balance:role.above')}
        </Checkbox>
      )}
      <Since value={since} today={today} zone={place.zone} change={setSince} />
    </FactDialog>
  )
}
