import { useQuery } from '@tanstack/react-query'
import { Collapse, Skeleton } from 'antd'
import { useState, type FC } from 'react'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import type { PeripheralKey } from '../../../../contract/devices/peripheral.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { notices } from '../../../data/notices.ts'
import { LoadFailed } from '../../../ui/page/states.tsx'
import page from '../../../ui/page/page.module.css'
import { SourceFields } from './source-fields.tsx'

interface Props {
  camera: PeripheralKey
  /** Whether the form is expanded initially, because no stream is configured. */
  open: boolean
  saved: () => void
}

/** Form for the camera's stream; collapsed once a stream is configured. */
export const CameraSourceForm: FC<Props> = ({ camera, open, saved }) => {
  const t = useT()
  const [keys, setKeys] = useState<readonly string[]>(open ? ['source'] : [])
  return (
    <Collapse
      ghost
      className={page.above16}
      activeKey={[...keys]}
      onChange={(next) => setKeys(next)}
      items={[
        {
          key: 'source',
          label: t('devices:camera.source'),
          children: (
            <Form
              camera={camera}
              saved={() => {
                setKeys([])
                saved()
              }}
            />
          ),
        },
      ]}
    />
  )
}

const Form: FC<Omit<Props, 'open'>> = ({ camera, saved }) => {
  const t = useT()
  const query = callQuery(cameraAndIr.casaGetPeripheralAdvanceInfo, camera)
  const source = useQuery(query)
  if (source.data === undefined)
    return source.error ? (
      <LoadFailed error={source.error} retry={() => void source.refetch()} />
    ) : (
      <Skeleton active />
    )
  return (
    <SourceFields
      source={source.data}
      action={t('screens:save')}
      submit={async (fields, send) => {
        await send(cameraAndIr.casaAddPeripheralAdvanceInfo, { ...camera, ...fields })
        notices.success(() => t('screens:updated'))
        saved()
      }}
    />
  )
}
