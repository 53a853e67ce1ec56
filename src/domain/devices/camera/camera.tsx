import { useQuery } from '@tanstack/react-query'
import { Skeleton, Collapse } from 'antd'
import { useState, type FC } from 'react'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import { callQuery } from '../../../data/api.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { notices } from '../../../data/notices.ts'
import { useMay } from '../../../data/session.ts'
import { LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import type { Face } from '../control/face.ts'
import { LiveVideo } from './live-video.tsx'
import type { PeripheralKey } from '../../../../contract/devices/peripheral.ts'
import page from '../../../ui/page/page.module.css'
import { SourceFields } from './source-fields.tsx'

interface Props {
  camera: PeripheralKey
  /** Whether the form is expanded initially, because no stream is configured. */
  open: boolean
  saved: () => void
}

/** Form for the camera's stream; collapsed once a stream is configured. */
const CameraSourceForm: FC<Props> = ({ camera, open, saved }) => {
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

/** Refetch interval of stream URLs in ms; well below their lifetime of some hours. */
const REFETCH_INTERVAL_MS = 3 * 3_600_000

/** A camera's live picture, and its stream settings for users who may change them. */
const Camera: Face = ({ device: { HomeID, PeripheralUID, PeripheralName } }) => {
  const t = useT()
  // Reading the source requires the right to update devices (§7), setting it the right to create them.
  const mayAdd = useMay('device', 'Create')
  const maySetUp = useMay('device', 'Update') && mayAdd
  const streams = useQuery({
    ...callQuery(cameraAndIr.casaIpCamLiveStream, { CasaPeripheralUIDList: [PeripheralUID] }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const renew = async () => {
    const { error } = await streams.refetch()
    if (error) notices.error(() => describeFailure(error))
  }
  const url = streams.data?.[0]?.Url
  return (
    <>
      {!streams.data ? (
        streams.error ? (
          <LoadFailed error={streams.error} retry={() => void streams.refetch()} />
        ) : (
          <Skeleton.Node active style={{ width: '100%', aspectRatio: '16 / 9', height: 'auto' }} />
        )
      ) : url === undefined ? (
        <EmptyState message={t(maySetUp ? 'devices:camera.noSource' : 'devices:camera.noSourceAsk')} />
      ) : (
        <LiveVideo
          key={`${streams.dataUpdatedAt}`}
          camera={{ HomeID, PeripheralUID }}
          name={PeripheralName}
          url={url}
          retry={() => void renew()}
        />
      )}
      {maySetUp && streams.data && (
        <CameraSourceForm
          camera={{ HomeID, PeripheralUID }}
          open={url === undefined}
          saved={() => void renew()}
        />
      )}
    </>
  )
}
export default Camera
