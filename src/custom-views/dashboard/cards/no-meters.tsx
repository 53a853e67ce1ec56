import { pathTo } from '../../../navigation/paths.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useMay } from '../../../data/session.ts'
import { Empty } from './card-frame.tsx'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'

/** Message for a home without meters; links to adding one if the user has the right. */
export function NoMeters({ homeId }: { homeId: string }) {
  const t = useT()
  const mayAdd = useMay('device', 'Create')
  return (
    <Empty
      why={t(mayAdd ? 'energy:noMeters' : 'energy:noMetersAsk')}
      next={
        mayAdd && (
          <ButtonLink to={pathTo('AddDevices', { HomeID: homeId })}>{t('energy:addMeters')}</ButtonLink>
        )
      }
    />
  )
}
