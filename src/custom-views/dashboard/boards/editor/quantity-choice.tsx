import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { useEffect, useState } from 'react'
import { MAX_HISTORY_SERIES } from '../../../../../contract/devices/history-calls.ts'
import { describeFailure } from '../../../../data/failure.ts'
import { formatPick, parsePicks } from '../../../../domain/history/picks.ts'
import { useQuantityWords } from '../../../../domain/history/quantity-words.ts'
import { quantitiesQuery } from '../../../../domain/history/use-history.ts'
import { loadNamespaces, useT } from '../../../../lib/i18n/i18n.ts'
import type { ChoiceProps } from './draft.ts'
import { holdsLabel } from '../../../../ui/inputs/holds-label.ts'

/** Up to eight stored quantities of a home's devices. */
export function QuantityChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const words = useQuantityWords()
  const [hasWords, setHasWords] = useState(false)
  useEffect(() => {
    void loadNamespaces(['history']).then(() => setHasWords(true))
  }, [])
  const query = useQuery(quantitiesQuery(home.HomeID))
  const options = (hasWords ? (query.data ?? []) : []).flatMap((device) =>
    device.PeripheralName === null
      ? []
      : device.Quantities.map((quantity) => ({
          value: formatPick({ PeripheralUID: device.PeripheralUID, Field: quantity.Field }),
          label: t('boards:ofDevice', {
            device: device.PeripheralName ?? '',
            quantity: words.quantityName(device, quantity),
          }),
        })),
  )
  return (
    <Form.Item label={t('boards:fields.quantities', { most: MAX_HISTORY_SERIES })} htmlFor="card-quantities">
      <Select
        id="card-quantities"
        mode="multiple"
        filterOption={holdsLabel}
        maxCount={MAX_HISTORY_SERIES}
        loading={query.isPending}
        notFoundContent={query.error && !query.data ? describeFailure(query.error) : t('boards:noQuantities')}
        value={(draft.Quantities ?? []).map(formatPick)}
        onChange={(picks: string[]) => set({ Quantities: parsePicks(picks) })}
        options={options}
      />
    </Form.Item>
  )
}
