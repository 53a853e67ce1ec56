import type {
  Capability,
  CommandValues,
  Question,
} from '../../../../contract/devices/capabilities/capability.ts'
import { t, type TKey } from '../../../lib/i18n/i18n.ts'
import { confirm } from '../../../ui/page/dialogs.ts'

/** Note and button text of each confirmation. */
const DETAILS: Record<Question, { note: TKey; ok: TKey }> = {
  closeContact: { note: 'devices:confirm.contactNote', ok: 'devices:confirm.close' },
  openContact: { note: 'devices:confirm.contactNote', ok: 'devices:confirm.open' },
  soundSiren: { note: 'devices:confirm.sirenSoundNote', ok: 'devices:confirm.sound' },
  silenceSiren: { note: 'devices:confirm.sirenSilenceNote', ok: 'devices:confirm.silence' },
  moveGate: { note: 'devices:confirm.gateNote', ok: 'devices:confirm.move' },
}

/** Runs a command; asks for a confirmation first if it may hurt people or disturb many. */
export function confirmCommand(
  { needsConfirmation }: Pick<Capability, 'needsConfirmation'>,
  values: CommandValues,
  run: () => void,
): void {
  const question = needsConfirmation?.(values)
  if (!question) return run()
  confirm({
    title: t(`devices:confirm.${question}`),
    content: t(DETAILS[question].note),
    okText: t(DETAILS[question].ok),
    cancelText: t('screens:cancel'),
    okButtonProps: { danger: true },
    onOk: run,
  })
}
