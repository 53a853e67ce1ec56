import { useQuery } from '@tanstack/react-query'
import { type MeterFact, meterFacts } from '../../../../contract/meters/fact-calls.ts'
import type { FactValues, MeterUse } from '../../../../contract/meters/meter-facts.ts'
import { callQuery } from '../../../data/api.ts'
import { useHomes } from '../../../data/homes.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import type { Place } from '../place.ts'

/** What a fact of a meter says, in words. */
export function useFactWords(place: Place): (fact: Pick<MeterFact, 'Fact' | 'Value'>) => string {
  const t = useT()
  const language = useLanguage()
  const rooms = useHomes()?.find(({ HomeID }) => HomeID === place.homeId)?.RoomList ?? []
  const ended = useQuery(callQuery(meterFacts.listEndedRoom, { HomeID: place.homeId })).data ?? []
  const roomOf = (id: number) =>
    [...rooms, ...ended].find(({ RoomID }) => RoomID === id)?.RoomName ??
    t('energy:roomGone', { id: String(id) })
  return ({ Fact, Value }) => {
    if (Fact === 'role') return t(`balance:roles.${Value as FactValues['role']}`)
    if (Fact === 'use') return t(`meters:uses.${Value as MeterUse}`)
    if (Fact === 'room') return roomOf(Value as number)
    if (Fact === 'parent') return Value === null ? t('devices:noParentMeter') : place.nameOf(Value as string)
    if (Fact === 'terms')
      return (Value as FactValues['terms'])
        .map(({ PeripheralUID, Factor }) => `${Factor > 0 ? '+' : '−'} ${place.nameOf(PeripheralUID)}`)
        .join('  ')
    if (Value === null) return t('meters:facts.unlimited')
    const kw = `${(Value as number).toLocaleString(language, { maximumFractionDigits: 3 })} kW`
    return Fact === 'limit' ? kw : t(`meters:facts.${Fact}`, { kw })
  }
}
