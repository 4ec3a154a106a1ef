// tunnel.js HOST PORT: a page and a WebSocket frame over TLS, each through a CONNECT to the proxy of the environment.
const http = require('http');
const https = require('https');
const tls = require('tls');

const [host, port] = process.argv.slice(2);
const proxy = new URL(process.env.HTTPS_PROXY);

function tunnel() {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: `${host}:${port}`,
      headers: {Host: `${host}:${port}`},
    });
    request.on('error', reject);
    request.on('connect', (answer, socket) => {
      if (answer.statusCode !== 200) return reject(new Error(`CONNECT: ${answer.statusCode}`));
      const secure = tls.connect({socket, servername: host}, () => resolve(secure));
      secure.on('error', reject);
    });
    request.end();
  });
}

async function page() {
  const socket = await tunnel();
  return new Promise((resolve, reject) => {
    https.get({host, port, path: '/hello.txt', createConnection: () => socket}, (answer) => {
      let body = '';
      answer.on('data', (data) => body += data);
      answer.on('end', () => resolve(`${answer.statusCode} ${body}`));
    }).on('error', reject);
  });
}

async function frame(text) {
  const socket = await tunnel();
  const mask = Buffer.from([1, 2, 3, 4]);
  const payload = Buffer.from(text).map((byte, i) => byte ^ mask[i % 4]);
  socket.write(`GET /echo HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
               'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n');
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, payload]));
  let received = Buffer.alloc(0);
  for await (const data of socket) received = Buffer.concat([received, data]);
  const end = received.indexOf('\r\n\r\n') + 4;
  return `${received.subarray(9, 12)} ${received.subarray(end + 2)}`;
}

(async () => {
  process.stdout.write(await page());
  console.log(await frame('frame'));
})().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
