import type { JSX } from 'preact';
import type { AuditPlot } from '../../wire/wire.ts';
import { clock, counted } from '../parts/format.tsx';

const height = 44;
const gap = 0.25;

/** Allowed and refused entries over time, as small bars. */
export function Plot({ plot }: { readonly plot: AuditPlot | undefined }): JSX.Element | null {
  if (plot === undefined || plot.from === '') return null;
  const { allowed, refused, from, to } = plot;
  const most = Math.max(1, ...allowed.map((count, at) => count + (refused[at] ?? 0)));
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const words = `${counted(sum(allowed), 'entry', 'entries')} allowed, ${counted(sum(refused), 'entry', 'entries')} refused`;
  return (
    <figure class="plot">
      <svg
        viewBox={`0 0 ${allowed.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        {allowed.map((count, at) => {
          const [up, down] = [scale(count, most), scale(refused[at] ?? 0, most)];
          return (
            <g key={at}>
              <rect class="allowed" x={at + gap / 2} width={1 - gap} y={height - up} height={up} />
              <rect class="refused" x={at + gap / 2} width={1 - gap} y={height - up - down} height={down} />
            </g>
          );
        })}
      </svg>
      <figcaption>
        <time dateTime={from}>{clock(from)}</time>
        <span>
          <span class="key allowed" aria-hidden="true" /> {sum(allowed).toLocaleString('en')} allowed{' '}
          <span class="key refused" aria-hidden="true" /> {sum(refused).toLocaleString('en')} refused
        </span>
        <time dateTime={to}>{clock(to)}</time>
      </figcaption>
    </figure>
  );
}

/** A single entry among many stays visible. */
function scale(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1.5, (count / most) * height * 0.95);
}
