FROM python:3.11-slim
WORKDIR /srv
COPY requirements.lock .
RUN pip install --no-cache-dir -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY interactions interactions
COPY app app
COPY misi_oracle_client misi_oracle_client
RUN pip install --no-cache-dir --no-deps . && useradd --create-home oracle
USER oracle
WORKDIR /home/oracle
ENV MISI_ORACLE_HOST=0.0.0.0
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["misi-oracle", "serve"]
