import { theme, type ThemeConfig } from 'antd'
import { colors, fontFamily, shape, type Mode } from './theme.ts'

/** Asked once: with a later answer Ant Design would draw the whole tree again. */
const still = matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Ant Design's tokens of a mode, from the one table of colours.
 *
 * phone  the screen is as narrow as a phone's: what is pressed is as high as a finger wants it
 */
export function antdTheme(mode: Mode, phone: boolean): ThemeConfig {
  const c = colors[mode]
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: c.accent,
      colorPrimaryHover: c.accentHover,
      colorPrimaryActive: c.accentHover,
      colorPrimaryText: c.accentText,
      colorLink: c.accentText,
      colorLinkHover: c.accentText,
      colorInfo: c.accent,
      colorSuccess: c.good,
      colorWarning: c.warning,
      colorError: c.alarm,
      colorErrorText: c.alarm,
      // Antd mixes grounds from our dark accents that look like mud; these are ours.
      colorInfoBg: c.accentSoft,
      colorInfoBorder: c.line,
      colorSuccessBg: c.goodSoft,
      colorSuccessBorder: c.line,
      colorWarningBg: c.warningSoft,
      colorWarningBorder: c.line,
      colorErrorBg: c.alarmSoft,
      colorErrorBorder: c.line,
      colorText: c.text,
      colorTextSecondary: c.muted,
      colorTextTertiary: c.faint,
      colorTextDescription: c.muted,
      colorTextPlaceholder: c.faint,
      colorTextLightSolid: c.onAccent,
      colorBgLayout: c.background,
      colorBgContainer: c.surface,
      colorBgElevated: c.raised,
      colorBorder: c.lineStrong,
      colorBorderSecondary: c.line,
      colorSplit: c.line,
      borderRadius: shape.radius,
      controlHeight: phone ? shape.controlPhone : shape.control,
      ...(phone && { controlHeightLG: shape.controlPhone }),
      fontFamily,
      // A motion that is only short still has its steps, in which a dialog is not yet where it will be pressed.
      motion: !still,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
    },
    components: {
      // The track's edge would leave a finger less than it wants.
      ...(phone && { Segmented: { trackPadding: 0 } }),
      Tabs: { itemSelectedColor: c.accentText, itemHoverColor: c.accentText, inkBarColor: c.accentText },
      Table: { rowSelectedBg: c.accentSoft, rowSelectedHoverBg: c.accentSoft },
      Slider: {
        railBg: c.line,
        railHoverBg: c.line,
        trackBg: c.on,
        trackHoverBg: c.on,
        handleColor: c.on,
        handleActiveColor: c.on,
      },
      Button: {
        // Antd paints danger buttons white on colorError: too pale for that in the dark.
        dangerColor: mode === 'dark' ? colors.dark.background : colors.light.onAccent,
        // Words under the pointer are to be read too.
        defaultHoverColor: c.accentText,
        defaultActiveColor: c.accentText,
        defaultHoverBorderColor: c.accentText,
        defaultActiveBorderColor: c.accentText,
      },
    },
  }
}
