import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { insight } from '../../../contract/energy/insight-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useQuantityWords } from '../../domain/history/quantity-words.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

/** Value for no fixed sensor: devices that report outdoor temperature are used. */
const NONE = ''

/** Selects the sensor for the outdoor temperature, if the user may change the home's energy settings. */
export function OutdoorChoice({ homeId }: { homeId: string }) {
  const t = useT()
  const may = useMay('electricity', 'Update')
  const { quantityName } = useQuantityWords()
  const { data } = useQuery(callQuery(insight.getOutdoorSensor, { HomeID: homeId }))
  const { busy, run } = useAction(insight.updateOutdoorSensor)
  if (!data) return null
  const { Sensor, Candidates } = data
  // A chosen sensor that no longer reports stays selected.
  const isMissing = Sensor !== null && !Candidates.some((candidate) => keyOf(candidate) === keyOf(Sensor))
  if (!may || (Candidates.length === 0 && Sensor === null))
    return Candidates.length === 0 ? <p className={page.hint}>{t('insight:outdoor.noneMeasured')}</p> : null
  const options = [
    { value: NONE, label: t('insight:outdoor.none') },
    ...Candidates.map((candidate) => ({
      value: keyOf(candidate),
      label: t('insight:outdoor.option', {
        device: candidate.PeripheralName,
        quantity: quantityName({ ...candidate, RoomID: null, Quantities: [] }, candidate),
      }),
    })),
    ...(isMissing
      ? [{ value: keyOf(Sensor), label: t('insight:outdoor.gone', { id: Sensor.PeripheralUID }) }]
      : []),
  ]
  const selectSensor = (key: string) => {
    const selected = Candidates.find((candidate) => keyOf(candidate) === key)
    if (key !== NONE && !selected) return
    const next = selected ? { PeripheralUID: selected.PeripheralUID, Field: selected.Field } : null
    void run({ HomeID: homeId, Sensor: next, Seen: Sensor }, () => tNow('insight:outdoor.saved'))
  }
  return (
    <label className={page.row}>
      <span className={page.hint}>{t('insight:outdoor.label')}</span>
      <Select
        aria-label={t('insight:outdoor.label')}
        value={Sensor ? keyOf(Sensor) : NONE}
        disabled={busy}
        popupMatchSelectWidth={false}
        options={options}
        onChange={selectSensor}
      />
    </label>
  )
}

const keyOf = ({ PeripheralUID, Field }: { PeripheralUID: string; Field: string }): string =>
  `${PeripheralUID} ${Field}`
