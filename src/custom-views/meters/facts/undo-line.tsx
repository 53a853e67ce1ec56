import { Alert, Button } from 'antd'
import { useT } from '../../../lib/i18n/i18n.ts'

export function UndoLine({ what, busy, undo }: { what: string; busy: boolean; undo: () => void }) {
  const t = useT()
  return (
    <Alert
      type="info"
      showIcon
      message={t('meters:facts.removed', { what })}
      action={
        <Button size="small" loading={busy} onClick={undo}>
          {t('meters:facts.undo')}
        </Button>
      }
    />
  )
}
