import { Alert, Typography } from 'antd'
import type { FC } from 'react'
import type { ScannerCredentials as Credentials } from '../../../contract/access-control/scanner.ts'
import page from '../../ui/page/page.module.css'
import { PassCard } from '../../domain/access/pass-card.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { setUpCode, usePlace } from './set-up.ts'

/** Credentials of a scanner, shown only once: to type, to copy, or as a QR code for the scanner. */
export const ScannerCredentials: FC<{ credentials: Credentials }> = ({ credentials }) => {
  const t = useT()
  const place = usePlace(credentials)
  const settings = [
    ['host', place.host],
    ['port', String(place.port)],
    ['username', credentials.ThingName],
    ['password', credentials.Secret],
    ['rootId', place.rootId],
    ['homeId', place.homeId],
  ] as const
  return (
    <div className={`${page.tightStack} ${page.words}`}>
      <Alert showIcon type="warning" message={t('access:scanner.once')} />
      <PassCard
        value={setUpCode(place, credentials.Secret)}
        label={t('access:scanner.setUpCode', { name: credentials.ScannerName })}
        name={credentials.ScannerName}
        id={credentials.ThingName}
      >
        <span>{t('access:scanner.setUpNote')}</span>
      </PassCard>
      <dl className={page.fields}>
        {settings.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`screens:addDevice.settings.${name}`)}</dt>
            <dd>
              <Typography.Text code copyable>
                {value}
              </Typography.Text>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
