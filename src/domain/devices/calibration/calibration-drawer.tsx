import { Grid } from 'antd'
import type { FC } from 'react'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ControlArea } from '../../../ui/inputs/control-area.tsx'
import { CalibrationWizard } from './calibration-wizard.tsx'
import { Drawer } from '../../../ui/dialog/dialog.tsx'

/** Calibration wizard in a drawer: next to the device panel on wide screens, full screen on phones. */
export const CalibrationDrawer: FC<{ device: Peripheral; close: () => void }> = ({ device, close }) => {
  const t = useT()
  const wide = Grid.useBreakpoint().md ?? true
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      push={false}
      onClose={close}
      placement={wide ? 'right' : 'bottom'}
      {...(wide ? { width: 520 } : { height: '100dvh' })}
      title={t('lightHouse:title')}
      closable={{ 'aria-label': t('screens:close') }}
    >
      {/* The wizard shows the reason itself. */}
      <ControlArea quiet>
        <CalibrationWizard device={device} close={close} />
      </ControlArea>
    </Drawer>
  )
}
