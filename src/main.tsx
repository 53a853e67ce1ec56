import { createRoot } from 'react-dom/client'
import { Root } from './root.tsx'
import { openEntrance } from './providers/auth/entrance.ts'
import { startI18n } from './providers/i18n.ts'
import { startTheme } from './ui/theme-mode.ts'
import './ui/base.css'

startTheme()
openEntrance()
await startI18n(['auth'])
createRoot(document.getElementById('root') as HTMLElement).render(<Root />)
