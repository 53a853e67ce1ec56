import { Button, Radio } from 'antd'
import type { FC } from 'react'
import { LIGHT_TYPES, type LightType } from '../../../../contract/devices/calibration.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './calibration.module.css'

interface Props {
  value: LightType
  choose: (type: LightType) => void
  begin: () => void
  busy: boolean
  canBegin: boolean
}

/** Which kind of light the machine has. */
export const LightTypeChoice: FC<Props> = ({ value, choose, begin, busy, canBegin }) => {
  const t = useT()
  return (
    <>
      <Radio.Group
        className={styles.types}
        aria-label={t('lightHouse:say.type')}
        value={value}
        onChange={({ target }) => choose(target.value as LightType)}
      >
        {LIGHT_TYPES.map((type) => (
          <Radio key={type} value={type} className={`${page.box} ${styles.type}`}>
            <strong>{t(`lightHouse:types.${type}`)}</strong>
            <span>{t(`lightHouse:types.${type}Note`)}</span>
          </Radio>
        ))}
      </Radio.Group>
      <Button type="primary" size="large" block loading={busy} disabled={!canBegin} onClick={begin}>
        {t('lightHouse:do.begin')}
      </Button>
    </>
  )
}
