import { WarningOutlined } from '@ant-design/icons'
import { Link } from 'react-router'
import { pathTo } from '../../../paths.ts'
import { cachedDevices } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { statuses } from '../../../data/status-store.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { useBreachWords } from '../../device-control/breach-words.ts'
import { FieldValue } from '../../device-control/field-value.tsx'
import { linesOf, type HomeOverview } from '../use-overview.ts'
import { CardFrame } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { Loading } from './overview-loading.tsx'
import { warningsOf, type Warning } from './warnings.ts'

const SHOWN = 8

/** Devices of all homes that need somebody, and why; live. */
export function AlarmsCard({ overview }: { overview: readonly HomeOverview[] }) {
  const t = useT()
  const found = overview.flatMap(({ home }) => {
    const snapshot = cachedDevices(home.HomeID)
    return snapshot ? warningsOf(linesOf(snapshot), statuses.get).map((warning) => ({ home, warning })) : []
  })
  const sorted = found.toSorted((a, b) => Number(b.warning.urgent) - Number(a.warning.urgent))
  return (
    <CardFrame title={t('cards:names.alarms')} extra={found.length > 0 && <strong>{found.length}</strong>}>
      <Loading overview={overview}>
        {found.length === 0 ? (
          <StateTag tone="good">{t('cards:noAlarms')}</StateTag>
        ) : (
          <ul className={styles.lines}>
            {sorted.slice(0, SHOWN).map(({ home, warning }) => (
              <li key={warning.device.PeripheralUID}>
                <Link
                  to={`${pathTo('DeviceList', { HomeID: home.HomeID })}?device=${encodeURIComponent(warning.device.PeripheralUID)}`}
                >
                  {warning.device.PeripheralName}
                </Link>
                {overview.length > 1 && <span className={page.small}>{home.HomeName}</span>}
                <Why warning={warning} />
              </li>
            ))}
            {found.length > SHOWN && <li>{t('dashboard:moreDevices', { count: found.length - SHOWN })}</li>}
          </ul>
        )}
      </Loading>
    </CardFrame>
  )
}

function Why({ warning: { device, troubles, breaches } }: { warning: Warning }) {
  const t = useT()
  const inWords = useBreachWords(device)
  return (
    <span className={styles.why}>
      {troubles.map(({ capability, field, value }) => (
        <FieldValue key={`${capability.name} ${field}`} capability={capability} field={field} value={value} />
      ))}
      {breaches.length > 0 && (
        <StateTag tone="alarm" icon={<WarningOutlined />}>
          {breaches.map(inWords).join(t('screens:listComma'))}
        </StateTag>
      )}
    </span>
  )
}
