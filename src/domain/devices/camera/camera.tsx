import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import { callQuery } from '../../../data/api.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { notices } from '../../../data/notices.ts'
import { useMay } from '../../../data/session.ts'
import { LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import type { Face } from '../control/face.ts'
import { CameraSourceForm } from './camera-source-form.tsx'
import { LiveVideo } from './live-video.tsx'

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
        <EmptyState why={t(maySetUp ? 'devices:camera.noSource' : 'devices:camera.noSourceAsk')} />
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
