import { useT } from '../../../../lib/i18n/i18n.ts'
import { CardFrame } from '../../cards/card-frame.tsx'
import styles from '../../common/boards.module.css'
import type { CardProps } from './card-props.ts'

export default function NoteCard({ card: { Text }, title }: CardProps<'note'>) {
  const t = useT()
  return (
    <CardFrame title={title ?? t('boards:kinds.note.name')}>
      <p className={styles.note}>{Text}</p>
    </CardFrame>
  )
}
