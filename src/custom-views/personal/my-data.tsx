import { Button, Card } from 'antd'
import { personData } from '../../../contract/people/person-data-calls.ts'
import { useMe } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { savePersonData } from '../../domain/person-data/save-person-data.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './personal.module.css'

export function MyData() {
  const t = useT()
  const me = useMe()
  const copy = useAction(async (_: undefined, send) =>
    savePersonData(me?.Email ?? '', await send(personData.exportMyData, {})),
  )
  return (
    <Card title={t('personal:data.title')} className={page.above16}>
      <p className={styles.note}>{t('personal:data.note')}</p>
      <Button
        loading={copy.busy}
        onClick={() => void copy.run(undefined, () => tNow('screens:personData.saved'))}
      >
        {t('personal:data.export')}
      </Button>
    </Card>
  )
}
