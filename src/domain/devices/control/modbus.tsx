import { Link, useLocation, useParams } from 'react-router'
import { pathOf, pathTo } from '../../../navigation/paths.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './faces.module.css'
import type { Face } from './face.ts'

/** Number of values and of failed values; their meaning is shown on the page of the device's table. */
const Modbus: Face = ({ device, status }) => {
  const t = useT()
  const { HomeID, peripheralID } = useParams()
  const { pathname } = useLocation()
  const uid = (status?.['PeripheralUID'] as string | undefined) ?? peripheralID
  const values = Object.values((status?.['ModbusValues'] ?? {}) as Record<string, number | null>)
  const failed = values.filter((value) => value === null).length
  const isOtherPage = pathOf(pathname)?.name !== 'ModBusInfo'
  return (
    <div className={`${page.column} ${styles.lines}`}>
      <div className={styles.line}>
        <span>{t('devices:fields.ModbusValues')}</span>
        <span>
          {device.ModbusTableID === null ? (
            <StateTag tone="offline">{t('devices:modbus.none')}</StateTag>
          ) : (
            t('devices:modbus.count', { count: values.length })
          )}
          {failed > 0 && (
            <>
              {' '}
              <StateTag tone="warning">{t('devices:modbus.failed', { count: failed })}</StateTag>
            </>
          )}
        </span>
      </div>
      {isOtherPage && HomeID && uid && (
        <div className={styles.line}>
          <Link to={pathTo('ModBusInfo', { HomeID, peripheralID: uid })}>{t('devices:modbus.open')}</Link>
        </div>
      )}
    </div>
  )
}
export default Modbus
