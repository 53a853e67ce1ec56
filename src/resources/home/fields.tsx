import type { FormField } from '../../record-kit/record-form.tsx'
import { TimeZoneSelect } from '../../ui/inputs/time-zone-select.tsx'
import { Button, Form } from 'antd'
import { useState } from 'react'
import { Home } from '../../../contract/homes/home.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'

/** Rounds to five decimals, about one meter. */
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5

interface Props {
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
}

/** Input for the longitude, with a button that fills in latitude and longitude from the browser's position. */
function PositionInput({ id, value, onChange }: Props) {
  const t = useT()
  const form = Form.useFormInstance()
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const { minValue, maxValue } = Home.shape.Longitude.unwrap()

  function ask() {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState('idle')
        form.setFieldValue('Latitude', rounded(coords.latitude))
        onChange?.(rounded(coords.longitude))
      },
      () => setState('failed'),
      { timeout: 15_000 },
    )
  }

  return (
    <>
      <NumberWithUnit
        {...(id !== undefined && { id })}
        value={value ?? null}
        onChange={(given) => onChange?.(given)}
        min={minValue ?? undefined}
        max={maxValue ?? undefined}
      />
      <div style={{ marginTop: 8, color: 'var(--muted)' }}>
        {t('resources:home.positionNote')}
        {'geolocation' in navigator && (
          <Button type="link" size="small" disabled={state === 'asking'} onClick={ask}>
            {t('resources:home.positionOfDevice')}
          </Button>
        )}
        {state === 'failed' && <div role="alert">{t('resources:home.positionFailed')}</div>}
      </div>
    </>
  )
}

export const fields: readonly FormField[] = [
  'HomeName',
  { name: 'TimeZone', input: <TimeZoneSelect /> },
  'Latitude',
  { name: 'Longitude', input: <PositionInput /> },
]
