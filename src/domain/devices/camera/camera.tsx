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

/** Stream addresses are good for some hours; a new one is asked for well before. */
const RENEW_AFTER = 3 * 3_600_000

/** A camera's live picture, and where it comes from for those who may say. */
const Camera: Face = ({ device: { HomeID, PeripheralUID, PeripheralName } }) => {
  const t = useT()
  // Where it streams is told to whoever may change devices (§7), and set by whoever may add them.
  const mayAdd = useMay('device', 'Create')
  const maySetUp = useMay('device', 'Update') && mayAdd
  const streams = useQuery({
    ...callQuery(cameraAndIr.casaIpCamLiveStream, { CasaPeripheralUIDList: [PeripheralUID] }),
    refetchInterval: RENEW_AFTER,
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
